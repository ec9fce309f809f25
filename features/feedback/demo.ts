// Demo rows of partners' feedback, some answered.
import { demoOperator, demoOwner } from '#features/access/demo.ts'
import { tell } from '#features/notices/demo.ts'
import { ago, type Demo } from '#server/demo.ts'
import { feedbackMessages } from './tables.ts'

const FEEDBACK = [
  [101, '希望商户列表可以按到期时间批量导出，每个月都要给客户经理分名单', 0.3, ''],
  [102, '增值服务购买页建议显示每项服务现在的到期时间', 1.1, ''],
  [101, '短信签名审核一般要多久？客户催得急', 2.4, '一般 1 至 3 个工作日，提交时附上营业执照会更快。'],
  [103, '手机上看版本订单，金额这一列建议固定', 3.8, ''],
  [102, '下级代理的账单能不能按月汇总', 5.2, '「结算中心 - 下级代理」已支持按月查看，欢迎试用。'],
  [101, '新增商户时地址可以记住上次选的城市吗', 8.6, '已列入计划，感谢建议。'],
  [103, '批量续费能不能按客户经理筛选', 46, '续费工作台可按客户经理筛选，选中后即可批量续费。'],
  [102, '硬件发货后希望能短信通知收货人', 118, '已反馈给产品，后续版本评估。'],
  [101, '对账单能否导出成表格', 203, '月度对账单右上角可以导出。'],
] as const

export function demo(demo: Demo): void {
  for (const [agentId, content, days, answer] of FEEDBACK)
    demo.history.at(ago(demo, days), createdAt => {
      const by = demoOwner(demo, agentId)
      const isAnswered = answer !== ''
      const { id } = demo.history.add(feedbackMessages, {
        ...{
          agentId,
          accountId: by.id,
          createdByName: by.name,
          phone: by.mobile,
          content,
          answer,
          createdAt,
        },
        state: isAnswered ? 'answered' : 'open',
        answeredByName: isAnswered ? demoOperator(demo).name : '',
        answeredAt: isAnswered ? ago(demo, days - 0.2) : null,
      })
      if (isAnswered)
        tell(demo, by, ago(demo, days - 0.2), {
          topic: 'FeedBackUserSendMsg',
          title: '您的反馈有新回复',
          body: answer,
          link: '/admin/index?feedback=mine',
          args: { feedbackId: id },
        })
    })
}
