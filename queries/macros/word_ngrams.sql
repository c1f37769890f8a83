-- word_ngrams: the n-grams of words of a text, of one to four words, with a blank between words; as often as they stand there.
-- It takes the words that text_words gives.
CREATE OR REPLACE MACRO word_ngrams(words) AS
    list_concat(
        words,
        list_transform(list_zip(words[:-2], words[2:]), lambda next: next[1] || ' ' || next[2]),
        list_transform(
            list_zip(words[:-3], words[2:-2], words[3:]), lambda next: next[1] || ' ' || next[2] || ' ' || next[3]
        ),
        list_transform(
            list_zip(words[:-4], words[2:-3], words[3:-2], words[4:]),
            lambda next: next[1] || ' ' || next[2] || ' ' || next[3] || ' ' || next[4]
        )
    );
