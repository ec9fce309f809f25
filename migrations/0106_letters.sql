-- A search of one character read every shop of an agent. Digits stand in every text: reading finds them at once. A number of one digit
-- again and again has one pair, which every eighth shop has: four of one digit are a piece, too.
create function letters(value text) returns text[] language sql immutable strict parallel safe
as $$
  select string_to_array(regexp_replace(value, '[0-9 ]', '', 'g'), null) || array_remove(array[
    case when strpos(value, '0000') > 0 then '0000' end, case when strpos(value, '1111') > 0 then '1111' end,
    case when strpos(value, '2222') > 0 then '2222' end, case when strpos(value, '3333') > 0 then '3333' end,
    case when strpos(value, '4444') > 0 then '4444' end, case when strpos(value, '5555') > 0 then '5555' end,
    case when strpos(value, '6666') > 0 then '6666' end, case when strpos(value, '7777') > 0 then '7777' end,
    case when strpos(value, '8888') > 0 then '8888' end, case when strpos(value, '9999') > 0 then '9999' end], null)
$$;--> statement-breakpoint
do $$
begin
  alter function letters(text) leakproof;
exception when insufficient_privilege then
  raise notice 'letters could not be marked leakproof: searches of one character will not use their index';
end $$;--> statement-breakpoint
create index merchants_letters on merchants using gin (agent_id, letters(search_text)) with (fastupdate = off);
