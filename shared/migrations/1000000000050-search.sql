-- Texts of one or two characters have no trigram: an index of these parts finds them.

create function short_parts(_text text) returns text[] language plpgsql immutable parallel safe strict
as $$
declare
  chars text[] := string_to_array(_text, null);
  parts text[] := chars;
begin
  for i in 2..cardinality(chars) loop
    parts := parts || (chars[i - 1] || chars[i]);
  end loop;
  return parts;
end $$;
comment on function short_parts is 'The characters of a text and its pairs of neighbours.';
