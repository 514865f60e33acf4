-- What finds the calls of people by their names.

create function fold(_text text) returns text language sql immutable parallel safe
as $$ select lower(public.unaccent('public.unaccent', coalesce(_text, ''))) $$;
comment on function fold is 'Case and accents gone: what filter_value compares.';
