-- text_words: the words of a text in lower case, in order: what stands between blanks and punctuation, and each character of
-- Chinese, Japanese, Thai, Lao, Khmer and Burmese, which write no blanks.
CREATE OR REPLACE MACRO text_words(text) AS
    regexp_extract_all(
        lower(text),
        '[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]\p{M}*|[^\s\p{Z}\p{P}\p{S}\p{C}\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]+'
    );
