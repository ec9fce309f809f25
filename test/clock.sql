-- Gives a test's database a now() of its own, "app.clock_offset" away from the server's: names of the schema "clock" stand before
-- PostgreSQL's own. What was bound to those already (functions with a path of their own, policies, defaults) is bound anew.
create schema clock;
grant usage on schema clock to public;
create function clock.now() returns timestamptz language sql stable parallel safe
  as $$ select pg_catalog.now() + current_setting('app.clock_offset')::interval $$;
create function clock.clock_timestamp() returns timestamptz language sql volatile parallel safe
  as $$ select pg_catalog.clock_timestamp() + current_setting('app.clock_offset')::interval $$;

do $$
declare
  -- Read before the path changes: then these texts would name PostgreSQL's own.
  again text[] := array(
    select format('alter function %s set search_path = public, clock, pg_catalog, pg_temp', p.oid::regprocedure)
      from pg_proc p where p.pronamespace = 'public'::regnamespace and p.proconfig::text like '%search_path=public%'
    union all
    select format('alter policy %I on %I.%I', policyname, schemaname, tablename)
        || coalesce(' using (' || qual || ')', '') || coalesce(' with check (' || with_check || ')', '')
      from pg_policies where concat(qual, with_check) ~ '\mnow\(\)'
    union all
    select format('alter table %s alter column %I set default %s', d.adrelid::regclass, a.attname, pg_get_expr(d.adbin, d.adrelid))
      from pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
      where pg_get_expr(d.adbin, d.adrelid) ~ '\mnow\(\)');
  statement text;
begin
  perform set_config('search_path', 'public, clock, pg_catalog', true);
  foreach statement in array again loop execute statement; end loop;
end $$;

-- A function with a path of its own that is made anew (migrations/again) is bound to it again. Policies and defaults that are made anew
-- are bound by the path of whoever makes them, which the database sets.
create function clock.keep() returns event_trigger language plpgsql as $$
declare
  made record;
begin
  for made in
    select p.oid::regprocedure as name from pg_event_trigger_ddl_commands() c join pg_proc p on p.oid = c.objid
      where c.classid = 'pg_proc'::regclass and p.pronamespace = 'public'::regnamespace and p.proconfig::text like '%search_path=public%'
  loop
    execute format('alter function %s set search_path = public, clock, pg_catalog, pg_temp', made.name);
  end loop;
end $$;
create event trigger clock_keeps on ddl_command_end when tag in ('CREATE FUNCTION') execute function clock.keep();
