-- reference_words: the words of a text in lower case without punctuation, as a list; each character of Chinese and Japanese is one.
CREATE OR REPLACE MACRO reference_words(text) AS
    regexp_extract_all(
        lower(nfc_normalize(text)),
        '[\p{Han}\p{Hiragana}\p{Katakana}]|[^\s\p{Z}\p{P}\p{S}\p{C}\p{Han}\p{Hiragana}\p{Katakana}]+'
    );
