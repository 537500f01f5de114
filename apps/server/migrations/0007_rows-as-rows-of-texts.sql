-- runs in a transaction
-- oldest program: 0001

-- Rows of a statement travel as an array of these, in binary: PostgreSQL reads one in half the time that the same row takes as JSON. One type
-- for all statements of a size, so a column more or less needs no other type. What is no text is cast by the statement.
create type sent_row_8 as (c1 text, c2 text, c3 text, c4 text, c5 text, c6 text, c7 text, c8 text);
create type sent_row_16 as (c1 text, c2 text, c3 text, c4 text, c5 text, c6 text, c7 text, c8 text, c9 text, c10 text, c11 text, c12 text,
  c13 text, c14 text, c15 text, c16 text);
create type sent_row_32 as (c1 text, c2 text, c3 text, c4 text, c5 text, c6 text, c7 text, c8 text, c9 text, c10 text, c11 text, c12 text,
  c13 text, c14 text, c15 text, c16 text, c17 text, c18 text, c19 text, c20 text, c21 text, c22 text, c23 text, c24 text, c25 text,
  c26 text, c27 text, c28 text, c29 text, c30 text, c31 text, c32 text);
