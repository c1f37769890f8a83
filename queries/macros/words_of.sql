-- words_of: number of words of a text: what stands between blanks, and each character of Chinese and Japanese.
CREATE OR REPLACE MACRO words_of(text) AS
    len(regexp_extract_all(
        text, '[\p{Han}\p{Hiragana}\p{Katakana}]|[^\s\p{Z}\p{Han}\p{Hiragana}\p{Katakana}]+'
    ));
