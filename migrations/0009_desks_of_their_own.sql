-- Operations of the desks are called after their features; what people saved under the old names goes on under the new ones.
with renamed (was, is_now) as (
  values
    ('agents.list', 'agentDesk.list'),
    ('merchants.secondary', 'agentDesk.secondary'),
    ('messages.abnormal', 'messageDesk.abnormal'),
    ('messages.forecast', 'messageDesk.forecast'),
    ('messages.log', 'messageDesk.log'),
    ('messages.outbox', 'messageDesk.outbox'),
    ('payments.differences', 'paymentDesk.differences'),
    ('payments.events', 'paymentDesk.events'),
    ('payments.intents', 'paymentDesk.intents'),
    ('payments.reconciliations', 'paymentDesk.reconciliations'),
    ('payments.refunds', 'paymentDesk.refunds'),
    ('sms.changes', 'smsDesk.changes'),
    ('sms.merchantChanges', 'smsDesk.merchantChanges'),
    ('sms.orders', 'smsDesk.orders')
), views as (
  update saved_views set list = is_now from renamed where list = was
)
update list_columns set list = is_now from renamed where list = was;
