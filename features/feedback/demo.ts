// Demo rows of partners' feedback, some answered.
import { ago, type Demo } from '#server/demo.ts'

const FEEDBACK = [
  [101, '希望商户列表可以按到期时间批量导出，每个月都要给客户经理分名单', 0.3, ''],
  [102, '增值服务购买页建议显示每项服务现在的到期时间', 1.1, ''],
  [101, '短信签名审核一般要多久？客户催得急', 2.4, '一般 1 至 3 个工作日，提交时附上营业执照会更快。'],
  [103, '手机上看版本订单，金额这一列建议固定', 3.8, ''],
  [102, '下级代理的账单能不能按月汇总', 5.2, '「结算中心 - 下级代理」已支持按月查看，欢迎试用。'],
  [101, '新增商户时地址可以记住上次选的城市吗', 8.6, '已列入计划，感谢建议。'],
] as const

export async function demo({ client, now }: Demo): Promise<void> {
  for (const [agentId, content, days, answer] of FEEDBACK)
    await client.query(
      `insert into feedback_messages (agent_id, account_id, created_by_name, phone, content, state, answer, answered_by_name, answered_at, created_at)
         select agent_id, id, name, mobile, $2::text, case when $3::text = '' then 'open' else 'answered' end, $3,
           case when $3 = '' then '' else '运营中心' end, $4::timestamptz, $5::timestamptz
         from accounts where agent_id = $1 and is_owner`,
      [agentId, content, answer, answer === '' ? null : ago({ now }, days - 0.2), ago({ now }, days)],
    )
}
