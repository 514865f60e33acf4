-- All rows of before the columns `find` have theirs.
drop procedure fill_find;
