-- gold_graph_penman: a gold graph that is broken is none, and its flag says what is wrong.
ALTER TABLE gold_graph ALTER COLUMN penman DROP NOT NULL;
COMMENT ON COLUMN gold_graph.penman IS 'the graph in PENMAN notation, as it stands in the file; NULL where it is broken';
COMMENT ON COLUMN gold_graph.flag IS 'what is unusual about it, such as not connected, or what is broken; NULL where nothing is';
