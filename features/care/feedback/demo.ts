// Demo rows of partners' feedback, some answered.
import { demoOperator, demoOwner } from '#features/office/access/demo.ts'
import { tell } from '#features/office/notices/demo.ts'
import { type Demo, drawPicture, later, workHour } from '#server/demo.ts'
import { feedbackMessages } from './tables.ts'

/** A phone whose list is cut at its edge. */
const CUT_LIST = `<svg xmlns="http://www.w3.org/2000/svg" width="540" height="960"><rect width="540" height="960" fill="#f4f6fa"/>
  <rect width="540" height="96" fill="#fff"/><rect x="32" y="36" width="160" height="24" rx="6" fill="#1f2733"/>
  ${[0, 1, 2, 3, 4, 5]
    .map(
      i => `<g transform="translate(0 ${128 + i * 132})"><rect x="24" width="560" height="112" rx="10" fill="#fff"/>
      <rect x="48" y="24" width="${190 + ((i * 37) % 90)}" height="20" rx="5" fill="#1f2733"/>
      <rect x="48" y="66" width="${130 + ((i * 53) % 110)}" height="16" rx="5" fill="#a5b0c0"/>
      <rect x="${430 + ((i * 29) % 40)}" y="40" width="140" height="24" rx="5" fill="#d3412f"/></g>`,
    )
    .join('')}</svg>`

type Told = readonly [agentId: number, content: string, days: number, answer: string, drawing?: string]

const FEEDBACK: readonly Told[] = [
  [101, '希望商户列表可以按到期时间批量导出，每个月都要给客户经理分名单', 0.3, ''],
  [102, '增值服务购买页建议显示每项服务现在的到期时间', 1.1, ''],
  [101, '短信签名审核一般要多久？客户催得急', 2.4, '一般 1 至 3 个工作日，提交时附上营业执照会更快。'],
  [103, '手机上看版本订单，金额这一列建议固定', 3.8, '', CUT_LIST],
  [102, '下级代理的账单能不能按月汇总', 5.2, '「结算中心 - 下级代理」已支持按月查看，欢迎试用。'],
  [101, '新增商户时地址可以记住上次选的城市吗', 8.6, '已列入计划，感谢建议。'],
  [103, '批量续费能不能按客户经理筛选', 46, '续费工作台可按客户经理筛选，选中后即可批量续费。'],
  [102, '硬件发货后希望能短信通知收货人', 118, '已反馈给产品，后续版本评估。'],
  [101, '对账单能否导出成表格', 203, '月度对账单右上角可以导出。'],
]

export async function demo(demo: Demo): Promise<void> {
  for (const [agentId, content, days, answer, drawing] of FEEDBACK) {
    const by = demoOwner(demo, agentId)
    const toldAt = workHour(demo, days)
    const uploaded = { agentId, purpose: 'feedback', createdBy: by.id, createdAt: toldAt }
    const pictureId = drawing ? await drawPicture(demo, drawing, uploaded) : null
    demo.history.at(toldAt, createdAt => {
      const isAnswered = answer !== ''
      const answeredAt = later(demo, createdAt, 3)
      const { id } = demo.history.add(feedbackMessages, {
        ...{
          agentId,
          accountId: by.id,
          createdByName: by.name,
          phone: by.mobile,
          content,
          pictureId,
          answer,
          createdAt,
        },
        state: isAnswered ? 'answered' : 'open',
        answeredByName: isAnswered ? demoOperator(demo).name : '',
        answeredAt: isAnswered ? answeredAt : null,
      })
      if (isAnswered)
        tell(demo, by, answeredAt, {
          topic: 'FeedBackUserSendMsg',
          title: '您的反馈有新回复',
          body: answer,
          link: '/admin/index?feedback=mine',
          args: { feedbackId: id },
        })
    })
  }
}
