// What agents of the demo asked of the vendor, in every state.
import { DEMO_AGENTS } from '#features/office/access/demo.ts'
import type { OrderKind, Score, StaffStep, Urgency } from './rules.ts'

/** What happened so many hours after it was submitted. */
export type Deed =
  | { hours: number; step: StaffStep; text?: string }
  | { hours: number; by: 'partner' | 'vendor' | 'note'; text: string; pictured?: number }
  | { hours: number; ends: 'close' | 'expire' }
  | { hours: number; rated: Score; text?: string }

export type Asked = {
  agentId: number
  /** Which of the agency's shops it is about. */
  shop?: number
  days: number
  kind: OrderKind
  urgency: Urgency
  title: string
  text: string
  pictured?: number
  deeds: readonly Deed[]
}

const { first, other, below } = DEMO_AGENTS
export const ASKED: readonly Asked[] = [
  {
    ...{ agentId: first, shop: 0, days: 0.1, kind: 'fault', urgency: 'critical', pictured: 2 },
    title: '收银台整店无法登录',
    text: '早上开门后所有收银台都提示「服务未连接」，重启路由器无效，客人在排队，请马上处理。',
    deeds: [],
  },
  {
    ...{ agentId: other, days: 0.2, kind: 'payment', urgency: 'urgent' },
    title: '昨日微信对账少一笔 128 元',
    text: '商户后台流水有这一笔，我们的收款报表没有，交易单号后四位 7731。',
    deeds: [],
  },
  {
    ...{ agentId: first, shop: 4, days: 3, kind: 'data', urgency: 'urgent' },
    title: '批量导入商品后条码重复',
    text: '导入 1200 个商品，其中约 80 个条码变成了同一个，需要帮忙核对恢复。',
    deeds: [],
  },
  {
    ...{ agentId: below, shop: 0, days: 0.6, kind: 'setup', urgency: 'normal' },
    title: '新店开通扫码点餐',
    text: '店铺下周一开业，请帮忙开通扫码点餐并配置 20 个桌码。',
    deeds: [{ hours: 2, step: 'accept' }],
  },
  {
    ...{ agentId: other, shop: 1, days: 1.1, kind: 'hardware', urgency: 'urgent', pictured: 1 },
    title: '标签秤与收银台连接不稳定',
    text: '更换过网线和交换机端口，仍然每半小时断开一次，型号见图。',
    deeds: [
      { hours: 0.5, step: 'accept' },
      { hours: 0.6, by: 'note', text: '同型号已有两家反馈，先确认固件版本' },
    ],
  },
  {
    ...{ agentId: first, shop: 1, days: 1.4, kind: 'payment', urgency: 'urgent' },
    title: '支付宝退款一直显示处理中',
    text: '昨天下午的一笔退款到现在还是「处理中」，顾客在催。',
    deeds: [
      { hours: 0.8, step: 'start' },
      { hours: 1.2, by: 'vendor', text: '已联系支付通道核实，预计今天有结果。' },
      { hours: 3, by: 'partner', text: '好的，顾客手机号尾号 4420，麻烦优先。' },
    ],
  },
  {
    ...{ agentId: first, days: 6, kind: 'data', urgency: 'normal' },
    title: '两家门店会员数据合并',
    text: '两家店合并经营，希望会员余额和积分合并到总店，共约 3000 名会员。',
    deeds: [
      { hours: 4, step: 'accept' },
      { hours: 20, step: 'start' },
      { hours: 21, by: 'note', text: '数据量不大，安排在周三夜间执行' },
    ],
  },
  {
    ...{ agentId: other, shop: 3, days: 2.2, kind: 'fault', urgency: 'normal', pictured: 1 },
    title: '小票上店名显示旧名称',
    text: '店名改过之后，后台已经是新店名，小票上还是旧的，见图。',
    deeds: [
      { hours: 3, step: 'start' },
      { hours: 5, step: 'ask', text: '请提供收银台的软件版本号和小票打印机型号。' },
    ],
  },
  {
    ...{ agentId: first, shop: 2, days: 4.3, kind: 'hardware', urgency: 'normal' },
    title: '客显屏不显示付款码',
    text: '双屏机副屏只显示广告，结账时不出现付款码。',
    deeds: [
      { hours: 2, step: 'accept' },
      { hours: 6, step: 'ask', text: '请拍一张「设置 - 客显」页面的照片。' },
      { hours: 26, by: 'partner', text: '照片见附件，设置里没有看到付款码选项。', pictured: 1 },
      { hours: 30, step: 'ask', text: '请升级到最新版本后再看一下，升级包已推送到该店。' },
    ],
  },
  {
    ...{ agentId: first, shop: 3, days: 5, kind: 'fault', urgency: 'urgent' },
    title: '打印机夜间自动离线',
    text: '每天凌晨以后第一单打印不出来，重插 USB 才恢复。',
    deeds: [
      { hours: 1, step: 'start' },
      { hours: 4, by: 'vendor', text: '与系统省电设置有关，请关闭 USB 选择性暂停，步骤已发您。' },
      { hours: 30, by: 'partner', text: '昨晚没有再出现。' },
      { hours: 32, step: 'finish', text: '已关闭省电设置，请继续观察，有问题可以重新打开。' },
    ],
  },
  {
    ...{ agentId: other, shop: 2, days: 7, kind: 'setup', urgency: 'normal' },
    title: '开通会员储值赠送规则',
    text: '充 500 送 50、充 1000 送 150，希望周末前生效。',
    deeds: [
      { hours: 3, step: 'start' },
      { hours: 25, step: 'finish', text: '规则已配置，可在「会员 - 储值规则」查看。' },
      { hours: 28, rated: '5', text: '当天就配好了，很及时' },
    ],
  },
  {
    ...{ agentId: below, days: 9, kind: 'other', urgency: 'normal' },
    title: '申请一场新功能线上培训',
    text: '希望给我们 6 名实施同事做一次连锁调拨的培训。',
    deeds: [
      { hours: 5, step: 'accept' },
      { hours: 30, step: 'start' },
      { hours: 76, step: 'finish', text: '培训已完成，录像链接已发到各位邮箱。' },
      { hours: 80, rated: '2', text: '时间太短，连锁价格部分没有讲到' },
    ],
  },
  {
    ...{ agentId: first, shop: 5, days: 16, kind: 'payment', urgency: 'critical' },
    title: '聚合收款码无法收款',
    text: '顾客扫码提示「商户状态异常」，门店完全无法收款。',
    deeds: [
      { hours: 0.3, step: 'start' },
      { hours: 1.5, by: 'vendor', text: '通道侧风控误判，已提交解除。', pictured: 1 },
      { hours: 2.5, step: 'finish', text: '已解除限制，收款恢复正常。' },
      { hours: 3, rated: '4' },
      { hours: 4, ends: 'close' },
    ],
  },
  {
    ...{ agentId: other, days: 24, kind: 'data', urgency: 'normal' },
    title: '导出去年全年的销售明细',
    text: '财务审计需要去年全年的销售明细，后台一次只能导出三个月。',
    deeds: [
      { hours: 8, step: 'accept' },
      { hours: 20, step: 'start' },
      { hours: 45, step: 'finish', text: '文件已放到贵司的文件下载中，有效期 7 天。' },
      { hours: 45 + 7 * 24, ends: 'expire' },
    ],
  },
  {
    ...{ agentId: first, days: 12, kind: 'other', urgency: 'normal' },
    title: '咨询软件授权迁移',
    text: '店铺换电脑，授权是否可以迁移？',
    deeds: [
      { hours: 2, by: 'vendor', text: '可以，在新电脑登录后旧电脑自动失效。' },
      { hours: 3, ends: 'close' },
    ],
  },
  {
    ...{ agentId: first, shop: 6, days: 0.8, kind: 'setup', urgency: 'normal' },
    title: '开通外卖平台接单',
    text: '门店已通过外卖平台审核，请帮忙开通自动接单和打印。',
    deeds: [{ hours: 1.5, step: 'accept' }],
  },
  {
    ...{ agentId: first, shop: 7, days: 18, kind: 'setup', urgency: 'normal' },
    title: '收银小票增加二维码',
    text: '希望小票底部加上会员注册二维码，图已发给客服。',
    deeds: [
      { hours: 2, step: 'start' },
      { hours: 9, step: 'finish', text: '模板已更新，重新登录收银台后生效。' },
      { hours: 10, rated: '5', text: '当天就好了，谢谢' },
      { hours: 11, ends: 'close' },
    ],
  },
  {
    ...{ agentId: first, shop: 8, days: 26, kind: 'hardware', urgency: 'normal' },
    title: '扫码枪不识别会员码',
    text: '新买的两把扫码枪能扫商品条码，扫不出手机上的会员码。',
    deeds: [
      { hours: 5, step: 'accept' },
      { hours: 20, step: 'start' },
      { hours: 48, step: 'finish', text: '该型号需要扫设置码开启二维码识别，设置码已发您。' },
      { hours: 50, rated: '3', text: '解决了，等得有点久' },
      { hours: 51, ends: 'close' },
    ],
  },
  {
    ...{ agentId: first, days: 31, kind: 'data', urgency: 'urgent' },
    title: '误删的会员等级恢复',
    text: '店员误删了「金卡」等级，约 260 名会员变成了普通会员。',
    deeds: [
      { hours: 2, step: 'start' },
      { hours: 26, step: 'finish', text: '等级已恢复，请核对折扣。' },
      { hours: 28, rated: '2', text: '有 20 多人的积分没有恢复' },
      { hours: 30, ends: 'close' },
    ],
  },
  {
    ...{ agentId: first, shop: 9, days: 38, kind: 'fault', urgency: 'critical', pictured: 1 },
    title: '断网后离线收银无法使用',
    text: '小区断网两小时，离线模式打不开，完全无法营业。',
    deeds: [
      { hours: 3, step: 'start' },
      { hours: 7, step: 'finish', text: '离线模式需要先登录过一次，已为该店补登。' },
      { hours: 8, rated: '1', text: '已经影响了一个中午的生意' },
      { hours: 9, ends: 'close' },
    ],
  },
]
