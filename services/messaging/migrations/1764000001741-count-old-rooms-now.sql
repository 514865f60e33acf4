-- no transaction
-- From here on every room is counted: new ones begin with 0, and the last release counts whatever it writes.
call count_old_rooms();
