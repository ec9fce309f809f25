-- outside of a transaction
-- Messages that nobody was charged for go after some months: the oldest are found without what stays.
create index concurrently outbox_messages_uncharged on outbox_messages (created_at) where payer = 'vendor' and charged = 0;
