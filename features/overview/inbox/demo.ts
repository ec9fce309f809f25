// Demo rows of the inbox: some of what waits is somebody's, some is put off.
import { DEMO_AGENTS, VENDOR } from '#features/office/access/demo.ts'
import type { Demo } from '#server/demo.ts'

/** Of the vendor the operator has one and staff one; of the first agent the owner and a seller; each has put one off. */
const NOTED = `
  with waiting as (
    select $1::bigint as house, 'consultations.call' as source, id, row_number() over (order by created_at) as place
      from consultations where not contacted
    union all select $1, 'feedback.answer', id, row_number() over (order by created_at) from feedback_messages where state = 'open'
    union all select $3, 'documents.ending', id, row_number() over (order by expires_on) from documents
      where agent_id = $3 and state = 'current' and expires_on <= shanghai_day($4) + 60),
  people as (select id, agent_id, name, is_owner, row_number() over (partition by agent_id, is_owner order by id) as nth from accounts where enabled),
  given as (
    select w.*, (select p.id from people p where p.nth = 1 and case
      when w.source = 'consultations.call' and w.place = 1 then p.agent_id = $1 and p.is_owner
      when w.source = 'consultations.call' and w.place = 2 then p.agent_id = $2 and p.is_owner
      when w.source = 'documents.ending' and w.place = 1 then p.agent_id = $3 and p.is_owner
      else false end) as assignee,
      w.place = case w.source when 'documents.ending' then 2 when 'feedback.answer' then 1 else 3 end as is_snoozed,
      (select p.name from people p where p.agent_id = w.house and p.is_owner and p.nth = 1) as snoozer
    from waiting w)
  insert into inbox_items (agent_id, source, item_id, assignee_id, assignee_name, snoozed_until, snoozed_by_name, snooze_reason, changed_at)
  select house, source, id, assignee, coalesce((select a.name from accounts a where a.id = assignee), ''),
    case when is_snoozed then $4::timestamptz + interval '3 days' end, case when is_snoozed then snoozer else '' end,
    case when is_snoozed then '约好下次再联系' else '' end, $4
  from given where assignee is not null or is_snoozed`

export async function afterwards({ client, now }: Demo): Promise<void> {
  await client.query(NOTED, [VENDOR.operator, VENDOR.staff, DEMO_AGENTS.first, now.toISOString()])
}
