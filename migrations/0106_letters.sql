-- A search of one character read every shop of an agent. Digits stand in every text: reading finds them at once.
create function letters(value text) returns text[] language sql immutable strict parallel safe
as $$ select string_to_array(regexp_replace(value, '[0-9 ]', '', 'g'), null) $$;--> statement-breakpoint
do $$
begin
  alter function letters(text) leakproof;
exception when insufficient_privilege then
  raise notice 'letters could not be marked leakproof: searches of one character will not use their index';
end $$;--> statement-breakpoint
create index merchants_letters on merchants using gin (agent_id, letters(search_text)) with (fastupdate = off);
