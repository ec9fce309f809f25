-- A search of a wallet's changes read the texts of every entry of the account. The index answers by pieces of what two texts say together; they are
-- lowered within the function, since an index answers behind row-level security through nothing but functions that cannot leak.
create function transfer_pieces(description text, remark text) returns text[] language plpgsql immutable strict parallel safe
as $$
begin
  return public.bigrams(lower(description || chr(31) || remark));
end $$;--> statement-breakpoint
do $$
begin
  alter function transfer_pieces(text, text) leakproof;
exception when insufficient_privilege then
  raise notice 'transfer_pieces could not be marked leakproof: searches of changes will not use their index';
end $$;--> statement-breakpoint
-- A posting adds to a short list, which the index takes in by and by: it is searched far less often than money moves.
create index ledger_transfers_texts on ledger_transfers using gin (agent_id, transfer_pieces(description, remark))
  with (gin_pending_list_limit = 256);
