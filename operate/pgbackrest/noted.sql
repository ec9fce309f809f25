-- Tells the office that its database was backed up, once that has ended well: its start page, /metrics and the doctor say how long ago.
insert into service_checks (service, problem, checked_at) values ('database', '', now())
on conflict (service) do update set checked_at = excluded.checked_at;
