-- spans_of: the different spans of a text that are to be kept as they are, in order: placeholders, addresses, tags and names.
-- Placeholders are {0}, ${name}, %s, %1$d, <x1/>; addresses those of the web and of mail; tags #one and @somebody. Names are
-- words with a capital (and a further letter or digit) that begin no sentence, where named asks for them.
CREATE OR REPLACE MACRO spans_of(text, named) AS
    list_sort(list_distinct(list_concat(
        CASE WHEN regexp_matches(text, '[{}<>%@#/]|www\.') THEN regexp_extract_all(
            text,
            'https?://[^\s<>"]*[\p{L}\p{N}/=_-]|www\.[^\s<>"]*[\p{L}\p{N}/=_-]|[\p{L}\p{N}._+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+|[#@][\p{L}\p{N}_]+|\$?\{[^{}\s]*\}|%(?:\([a-z_]+\)|[0-9]+\$)?[sdif]\b|</?[A-Za-z][^<>]*>'
        ) ELSE []::VARCHAR[] END,
        CASE WHEN named THEN flatten(list_transform(
            regexp_extract_all(text, '(?:[^.!?…:;\s][\s(«„“"]+|[(])((?:\p{Lu}[\p{L}\p{M}\p{N}]+ ?)+)', 1),
            lambda names: string_split(rtrim(names), ' ')
        )) ELSE []::VARCHAR[] END
    )));
