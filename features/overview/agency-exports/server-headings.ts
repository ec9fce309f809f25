// What stands over the columns of the archive's tables, and what its words are: the product's own, where a list or a form has some;
// otherwise those of below, or the column's name.
import { ACQUIRER_ONBOARDING_FIELDS } from '#features/acquiring/acquirer-onboardings/fields.ts'
import { PROGRESS_FIELDS } from '#features/acquiring/acquiring-progress/fields.ts'
import { OWNER_PAPERS_FIELDS } from '#features/acquiring/owner-papers/fields.ts'
import { APPLICATION_FIELDS as PAYMENT_FIELDS } from '#features/acquiring/payment-applications/fields.ts'
import { KEY_FIELDS } from '#features/agencies/api-keys/fields.ts'
import { ROLE_FIELDS, STAFF_FIELDS } from '#features/agencies/team/fields.ts'
import { DELIVERY_FIELDS, ENDPOINT_FIELDS } from '#features/agencies/webhooks/fields.ts'
import { APPROVAL_FIELDS } from '#features/care/approvals/fields.ts'
import { CAMPAIGN_FIELDS } from '#features/care/campaigns/fields.ts'
import { DOCUMENT_FIELDS } from '#features/care/documents/fields.ts'
import { FEEDBACK_FIELDS } from '#features/care/feedback/fields.ts'
import { IMPORT_FIELDS } from '#features/care/shop-import/fields.ts'
import { CLEARING_FIELDS } from '#features/care/table-clearing/fields.ts'
import { THREAD_FIELDS } from '#features/care/threads/fields.ts'
import { VERIFICATION_FIELDS } from '#features/care/verification/fields.ts'
import { ASSET_NAMES, PAY_METHODS, TRANSFER_KINDS } from '#features/money/ledger/rules.ts'
import { AGENT_FIELDS, AGENT_PROFILE_FIELDS } from '#features/office/agents/fields.ts'
import { NOTICE_FIELDS } from '#features/office/notices/fields.ts'
import { LOG_FIELDS } from '#features/overview/operation-log/fields.ts'
import { APPLICATION_FIELDS as PROGRAM_FIELDS } from '#features/programs/program-applications/fields.ts'
import { FLOW_FIELDS } from '#features/programs/program-flow/fields.ts'
import { TRAIN_SHOP_FIELDS } from '#features/programs/release-trains/fields.ts'
import { DEPOSIT_FIELDS } from '#features/sales/deposits/fields.ts'
import { HARDWARE_ORDER_FIELDS } from '#features/sales/hardware/fields.ts'
import { ORDER_FIELDS } from '#features/sales/orders/fields.ts'
import { INTENT_FIELDS, REFUND_FIELDS } from '#features/sales/payments/desk/fields.ts'
import { SERVICE_ORDER_FIELDS } from '#features/sales/services/fields.ts'
import { REQUEST_FIELDS } from '#features/sales/settlement/fields.ts'
import { ONLINE_RENEWAL_FIELDS } from '#features/sales/shop-pages/fields.ts'
import { SMS_ORDER_FIELDS } from '#features/sales/sms/desk/fields.ts'
import { MERCHANT_FIELDS } from '#features/shops/merchants/fields.ts'
import { MESSAGE_FIELDS } from '#features/shops/messages/desk/fields.ts'
import { WORK_ORDER_FIELDS } from '#features/support/work-orders/fields.ts'
import type { Fields, Words } from '#kit/declare/fields.ts'

const OF_TABLES: Readonly<Record<string, Fields>> = {
  accounts: STAFF_FIELDS,
  acquirer_onboardings: ACQUIRER_ONBOARDING_FIELDS,
  acquirer_test_payments: ACQUIRER_ONBOARDING_FIELDS,
  acquiring_progress: PROGRESS_FIELDS,
  agents: { ...AGENT_PROFILE_FIELDS, ...AGENT_FIELDS },
  api_keys: KEY_FIELDS,
  approval_requests: APPROVAL_FIELDS,
  campaigns: CAMPAIGN_FIELDS,
  deposits: DEPOSIT_FIELDS,
  deposit_requests: DEPOSIT_FIELDS,
  documents: DOCUMENT_FIELDS,
  feedback_messages: FEEDBACK_FIELDS,
  hardware_orders: HARDWARE_ORDER_FIELDS,
  ledger_accounts: { asset: { kind: 'word', label: '资产', words: ASSET_NAMES } },
  ledger_entries: {
    asset: { kind: 'word', label: '资产', words: ASSET_NAMES },
    accountId: { kind: 'id', label: '账户编号' },
  },
  ledger_transfers: {
    asset: { kind: 'word', label: '资产', words: ASSET_NAMES },
    kind: { kind: 'word', label: '类型', words: TRANSFER_KINDS },
  },
  merchants: MERCHANT_FIELDS,
  notices: NOTICE_FIELDS,
  online_renewals: ONLINE_RENEWAL_FIELDS,
  operation_logs: LOG_FIELDS,
  outbox_messages: MESSAGE_FIELDS,
  owner_papers: OWNER_PAPERS_FIELDS,
  payment_applications: PAYMENT_FIELDS,
  payment_intents: INTENT_FIELDS,
  payment_refunds: REFUND_FIELDS,
  program_applications: PROGRAM_FIELDS,
  program_flows: FLOW_FIELDS,
  release_train_shops: TRAIN_SHOP_FIELDS,
  roles: ROLE_FIELDS,
  service_orders: SERVICE_ORDER_FIELDS,
  shop_imports: IMPORT_FIELDS,
  sms_orders: SMS_ORDER_FIELDS,
  table_clearings: CLEARING_FIELDS,
  threads: THREAD_FIELDS,
  undo_requests: REQUEST_FIELDS,
  verifications: VERIFICATION_FIELDS,
  version_orders: ORDER_FIELDS,
  webhook_deliveries: DELIVERY_FIELDS,
  webhook_endpoints: ENDPOINT_FIELDS,
  work_orders: WORK_ORDER_FIELDS,
}

/** Columns that mean the same in every table. */
const COMMON: Readonly<Record<string, string>> = {
  ...{
    id: '编号',
    agentId: '代理商编号',
    merchantId: '商户编号',
    accountId: '账号编号',
    name: '名称',
    remark: '备注',
  },
  ...{ createdAt: '创建时间', createdBy: '创建人编号', createdByName: '创建人', updatedAt: '修改时间' },
  ...{
    state: '状态',
    status: '状态',
    kind: '类型',
    reason: '原因',
    note: '说明',
    title: '标题',
    text: '内容',
  },
  ...{
    amount: '金额',
    balance: '余额',
    balanceBefore: '变动前余额',
    balanceAfter: '变动后余额',
    sequence: '序号',
  },
  ...{ entryCount: '明细笔数', transferId: '转账编号', fromAccountId: '转出账户', toAccountId: '转入账户' },
  ...{
    ownerKind: '账户归属',
    ownerId: '归属编号',
    document: '单据号',
    payMethod: '支付方式',
    description: '说明',
  },
  ...{ actorId: '操作人编号', actorName: '操作人', reversesId: '冲销的转账', book: '账簿', asset: '资产' },
  ...{
    orderNo: '订单号',
    orderId: '订单编号',
    batchNo: '批次号',
    documentNo: '单据号',
    outTradeNo: '商户单号',
  },
  ...{
    totalCents: '合计',
    unitCents: '单价',
    originalCents: '原价',
    tokenCents: '代币',
    bonusCents: '赠送代币',
  },
  ...{
    amountFen: '金额',
    heldFen: '在押金额',
    returnedFen: '已退金额',
    keptFen: '扣留金额',
    priceFen: '价格',
  },
  ...{
    yearFen: '年价',
    monthFen: '月价',
    lifetimeFen: '永久价',
    sellingFen: '售价',
    shopPaidFen: '商户实付',
  },
  ...{
    quantity: '数量',
    shops: '门店数',
    branches: '分店数',
    periods: '期数',
    years: '年数',
    pieces: '条数',
  },
  ...{
    paidAt: '支付时间',
    expiresAt: '到期时间',
    finishedAt: '完成时间',
    startedAt: '开始时间',
    doneAt: '完成时间',
  },
  ...{ undoneAt: '撤销时间', undoneByName: '撤销人', undoneReason: '撤销原因', handledAt: '处理时间' },
  ...{ handledByName: '处理人', submittedAt: '提交时间', submittedByName: '提交人', savedAt: '保存时间' },
  ...{ savedByName: '保存人', askedAt: '申请时间', askedByName: '申请人', decidedAt: '审核时间' },
  ...{ decidedByName: '审核人', decision: '审核意见', requestedAt: '申请时间', requestedByName: '申请人' },
  ...{
    changedAt: '变更时间',
    endedAt: '结束时间',
    readAt: '读取时间',
    lastUsedAt: '最近使用',
    lastIp: '最近地址',
  },
  ...{ phone: '手机号', mobile: '手机号', contactName: '联系人', contactPhone: '联系电话', address: '地址' },
  ...{ companyName: '公司名称', shopName: '店铺名称', versionId: '版本编号', serviceId: '增值服务编号' },
  ...{ serviceName: '增值服务', fileId: '文件编号', pictureId: '图片编号', purpose: '用途', mime: '格式' },
  ...{
    width: '宽',
    height: '高',
    byteSize: '字节数',
    sha256: '摘要（SHA-256）',
    enabled: '启用',
    channel: '渠道',
  },
  ...{ topic: '主题', content: '内容', answer: '回复', operation: '接口', module: '模块', subject: '对象' },
  ...{
    objects: '涉及的对象',
    objectKind: '对象类型',
    aboutAgentId: '涉及的代理商',
    outcome: '结果',
    changes: '变更',
  },
  ...{ requestId: '请求编号', ip: '地址', userAgent: '浏览器', accountName: '操作人', device: '设备' },
  ...{ fromAgentId: '转出代理商', toAgentId: '转入代理商', payeeAgentId: '收款方', parentId: '上级编号' },
  ...{ loginName: '登录账号', roleId: '角色编号', lastLoginAt: '最近登录', deletedAt: '删除时间' },
  ...{
    appid: '小程序编号',
    applicationId: '申请编号',
    message: '说明',
    position: '次序',
    revision: '修改次数',
  },
  ...{ productName: '商品', productId: '商品编号', templateId: '模板编号', campaignId: '群发编号' },
  ...{
    termDay: '到期日',
    expiresBefore: '变更前到期',
    expiresAfter: '变更后到期',
    versionBefore: '变更前版本',
  },
  ...{ versionAfter: '变更后版本', shopsBefore: '变更前门店数', shopsAfter: '变更后门店数', offer: '优惠' },
  ...{ discountBasisPoints: '折扣（万分之）', termDayBefore: '变更前到期日', termDayAfter: '变更后到期日' },
  ...{
    authorId: '发言人编号',
    authorName: '发言人',
    side: '发言方',
    threadId: '会话编号',
    workOrderId: '工单编号',
  },
  ...{
    assigneeName: '负责人',
    assigneeId: '负责人编号',
    documentId: '证件编号',
    line: '行号',
    problem: '问题',
  },
  ...{
    account: '账号',
    districtCode: '区县代码',
    provinceCode: '省份代码',
    cityCode: '城市代码',
    levelId: '等级编号',
  },
  ...{
    industryId: '行业编号',
    managerId: '客户经理编号',
    headId: '总店编号',
    paymentMethodId: '支付方式编号',
  },
  ...{
    paymentConfig: '支付参数',
    url: '地址',
    data: '内容',
    at: '时间',
    seq: '序号',
    list: '列表',
    columns: '列',
  },
}

const WORDS: Readonly<Record<string, Words>> = { payMethod: PAY_METHODS }

export const keyOf = (column: string): string =>
  column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** The head of a column. */
export function headingOf(table: string, column: string): string {
  const key = keyOf(column)
  const known = labelOf(table, key)
  // Whoever did it stands beside by name.
  const byName = key.endsWith('By') ? labelOf(table, `${key}Name`) : null
  return known ?? (byName ? `${byName}编号` : column)
}

const labelOf = (table: string, key: string): string | null =>
  OF_TABLES[table]?.[key]?.label ?? COMMON[key] ?? null

/** What stands for a word that the column holds; null: it holds none that is known. */
export function wordsOf(table: string, column: string): Words | null {
  const key = keyOf(column)
  return OF_TABLES[table]?.[key]?.words ?? WORDS[key] ?? null
}
