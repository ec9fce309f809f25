// Demo data of what comes from outside the office: visitors of the website who want to be called, and partners' feedback.
import type pg from 'pg'

const CONSULTATIONS = [
  ['陈先生', '13612345601', '深圳市南山区科技园', '两家奶茶店，想把会员打通，先了解费用', 0.1, false],
  ['刘老板', '13612345602', '广州市天河区体育西路', '火锅店，需要排队叫号和后厨打印', 0.6, false],
  ['王小姐', '13612345603', '', '烘焙店，想做小程序点单', 1.2, false],
  ['周女士', '13612345604', '成都市武侯区', '便利店从别的系统搬过来，商品有三千多个，能导入吗', 2.5, true],
  ['赵先生', '13612345605', '佛山市禅城区祖庙路', '', 3.1, true],
  ['孙经理', '13612345606', '东莞市南城街道', '连锁早餐 12 家店，要总部统一管菜单', 4.4, false],
  ['吴先生', '13612345607', '长沙市岳麓区', '想了解代理合作', 6.2, true],
  ['郑女士', '13612345608', '武汉市洪山区光谷', '水果店，称重收银一体机多少钱', 7.7, true],
  ['冯老板', '13612345609', '惠州市惠城区', '旧机器能不能继续用', 9, true],
  ['蒋先生', '13612345610', '珠海市香洲区', '晚上八点后联系', 12.3, true],
  ['沈小姐', '13612345611', '中山市东区', '需要外卖平台接单', 15.9, true],
  [
    '欧阳诗涵',
    '13612345612',
    '广东省汕头市龙湖区珠池街道长平路与金砂路交界处老字号牛肉火锅总店二楼',
    '想看看演示',
    20.5,
    true,
  ],
] as const

const FEEDBACK = [
  [101, '希望商户列表可以按到期时间批量导出，每个月都要给客户经理分名单', 0.3, ''],
  [102, '增值服务购买页建议显示每项服务现在的到期时间', 1.1, ''],
  [101, '短信签名审核一般要多久？客户催得急', 2.4, '一般 1 至 3 个工作日，提交时附上营业执照会更快。'],
  [103, '手机上看版本订单，金额这一列建议固定', 3.8, ''],
  [102, '下级代理的账单能不能按月汇总', 5.2, '「结算中心 - 下级代理」已支持按月查看，欢迎试用。'],
  [101, '新增商户时地址可以记住上次选的城市吗', 8.6, '已列入计划，感谢建议。'],
] as const

const ago = (now: Date, days: number) => new Date(now.getTime() - days * 86_400_000).toISOString()

/** Visitors of the last three weeks, some called; feedback of the demo's agents, some answered. */
export async function createOutsideVoices(client: pg.Client, now: Date): Promise<void> {
  for (const [name, mobile, address, content, days, contacted] of CONSULTATIONS)
    await client.query(
      `insert into consultations (name, mobile, address, content, ip_hash, created_at, contacted, contacted_at, contacted_by_name)
         values ($1, $2, $3, $4, sha256('demo'), $5, $6::boolean, $7, case when $6::boolean then '运营中心' else '' end)`,
      [name, mobile, address, content, ago(now, days), contacted, contacted ? ago(now, days - 0.08) : null],
    )
  for (const [agentId, content, days, answer] of FEEDBACK)
    await client.query(
      `insert into feedback_messages (agent_id, account_id, created_by_name, content, state, answer, answered_by_name, answered_at, created_at)
         select agent_id, id, name, $2::text, case when $3::text = '' then 'open' else 'answered' end, $3,
           case when $3 = '' then '' else '运营中心' end, $4::timestamptz, $5::timestamptz
         from accounts where agent_id = $1 and is_owner`,
      [agentId, content, answer, answer === '' ? null : ago(now, days - 0.2), ago(now, days)],
    )
}
