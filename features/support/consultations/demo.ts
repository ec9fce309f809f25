// Demo rows of visitors of the website who want to be called.

import { createHash } from 'node:crypto'
import { demoStaff } from '#features/office/access/demo.ts'
import { tell } from '#features/office/notices/demo.ts'
import { ago, type Demo } from '#server/demo.ts'
import { consultations } from './tables.ts'

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

/** Of the last three weeks, some called. */
export function demo(demo: Demo): void {
  const ipHash = createHash('sha256').update('demo').digest()
  for (const [name, mobile, address, content, days, contacted] of CONSULTATIONS)
    demo.history.at(ago(demo, days), createdAt => {
      const { id } = demo.history.add(consultations, {
        ...{ name, mobile, address, content, ipHash, createdAt, contacted },
        contactedAt: contacted ? ago(demo, days - 0.08) : null,
        contactedByName: contacted ? demoStaff(demo).name : '',
      })
      tell(demo, demoStaff(demo), createdAt, {
        topic: 'Consultation_Notify',
        title: '新的官网咨询',
        body: `${name} ${mobile}`,
        link: '/admin/operations/consultations',
        args: { consultationId: id },
      })
    })
}
