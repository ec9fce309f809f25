-- The pieces of a text under which searches find it: each two letters that stand side by side. Run whenever this text has changed and after
-- every migration: migrations/again. An index takes each piece once, however often it is named.
create or replace function bigrams(value text) returns text[] language plpgsql immutable strict parallel safe
as $$
declare
  letters text[] := string_to_array(value, null);
  pieces text[] := '{}';
begin
  for i in 1 .. cardinality(letters) - 1 loop
    pieces := pieces || (letters[i] || letters[i + 1]);
  end loop;
  return pieces;
end $$;
-- Indexes answer behind row-level security only through functions that are marked so; where the owner is no superuser an administrator
-- marks it (server/README.md, "Tenancy").
do $$
begin
  alter function bigrams(text) leakproof;
exception when insufficient_privilege then
  raise notice 'bigrams could not be marked leakproof: searches will not use their indexes';
end $$;
