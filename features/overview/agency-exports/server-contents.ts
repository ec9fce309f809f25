// What of the database an agency takes along, table by table, and what it does not and why. A table that names an agency and stands on
// neither list fails server-contents.test.ts.

export type Content = {
  title: string
  /** Its folder in the archive, and its line of the preview. */
  group: Group
  /** Which rows are the agency's, where that is not `agent_id`; $agent is its number. */
  where?: string
  /** Columns that stay behind beside those of `STAYS`. */
  without?: readonly string[]
  /** Columns that are written otherwise than they lie, in SQL; `r` is the row. */
  as?: Readonly<Record<string, string>>
}

const GROUPS = [
  '公司与人员',
  '商户',
  '订单',
  '账务',
  '收款',
  '短信',
  '服务',
  '进件',
  '小程序',
  '页面与程序',
  '记录',
] as const
export type Group = (typeof GROUPS)[number]

/** Amounts of the ledger are in the unit of their asset: tokens and yuan with two digits, SMS in pieces. */
const amountOf = (column: string, asset: string) =>
  `case when ${asset} = 'sms' then r.${column}::text else round(r.${column} / 100.0, 2)::text end`
const ASSET_OF_ENTRY = '(select t.asset from ledger_transfers t where t.id = r.transfer_id)'

export const CONTENTS: Readonly<Record<string, Content>> = {
  agents: { title: '公司资料', group: '公司与人员', where: 'r.id = $agent' },
  accounts: { title: '人员账号', group: '公司与人员' },
  roles: { title: '角色', group: '公司与人员' },
  agent_level_changes: { title: '等级变更', group: '公司与人员' },
  factor_rules: { title: '二次验证规定', group: '公司与人员' },
  api_keys: { title: '接口密钥名录', group: '公司与人员' },
  api_key_uses: { title: '接口密钥使用', group: '公司与人员', without: ['tokens', 'filled_at'] },
  compat_uses: { title: '旧接口调用', group: '公司与人员' },
  agent_pay_channels: { title: '开通的支付渠道', group: '公司与人员' },
  agent_payment_methods: { title: '可选的支付方式', group: '公司与人员' },
  version_sellers: { title: '可销售的版本', group: '公司与人员' },
  discounts: { title: '专属折扣', group: '公司与人员' },
  merchants: { title: '商户', group: '商户' },
  merchant_services: { title: '商户的增值服务', group: '商户' },
  approval_requests: { title: '商户资料审批', group: '商户' },
  shop_signatures: { title: '短信签名', group: '商户' },
  documents: { title: '证件资料', group: '商户' },
  document_uses: { title: '证件使用情况', group: '商户' },
  paper_readings: { title: '证件识别', group: '商户' },
  verifications: { title: '商户认证', group: '商户' },
  renewal_marks: { title: '续费跟进', group: '商户' },
  shop_imports: { title: '商户导入', group: '商户' },
  shop_import_rows: { title: '商户导入明细', group: '商户' },
  shop_import_requests: { title: '商户导入撤回申请', group: '商户' },
  shop_import_mappings: { title: '商户导入对应列', group: '商户' },
  table_clearings: { title: '清空数据', group: '商户' },
  tool_actions: { title: '售后处理', group: '商户' },
  print_template_shops: {
    title: '打印模板指定的商户',
    group: '商户',
    where: 'exists (select from merchants m where m.id = r.merchant_id and m.agent_id = $agent)',
  },
  version_orders: { title: '版本订单', group: '订单' },
  version_order_effects: { title: '版本订单生效情况', group: '订单' },
  renewal_batches: { title: '批量续费', group: '订单' },
  service_orders: { title: '增值服务订单', group: '订单' },
  sms_orders: { title: '短信订单', group: '订单' },
  token_orders: { title: '代币充值订单', group: '订单' },
  hardware_orders: { title: '硬件订单', group: '订单' },
  hardware_order_lines: { title: '硬件订单明细', group: '订单' },
  hardware_cart_lines: { title: '硬件购物车', group: '订单' },
  undo_requests: { title: '撤销申请', group: '订单' },
  online_renewals: { title: '在线续费', group: '订单' },
  renewal_offers: { title: '在线续费开关', group: '订单' },
  renewal_prices: { title: '在线续费价格', group: '订单' },
  selling_prices: { title: '售价', group: '订单' },
  ledger_accounts: {
    title: '账户余额',
    group: '账务',
    as: { balance: amountOf('balance', 'r.asset') },
  },
  ledger_transfers: { title: '转账', group: '账务', as: { amount: amountOf('amount', 'r.asset') } },
  ledger_entries: {
    title: '账务明细',
    group: '账务',
    as: {
      asset: ASSET_OF_ENTRY,
      amount: amountOf('amount', ASSET_OF_ENTRY),
      balance_before: amountOf('balance_before', ASSET_OF_ENTRY),
      balance_after: amountOf('balance_after', ASSET_OF_ENTRY),
    },
  },
  ledger_moves: {
    title: '账户转移',
    group: '账务',
    where: '(r.from_agent_id = $agent or r.to_agent_id = $agent)',
  },
  deposits: { title: '押金', group: '账务', without: ['code'] },
  deposit_payments: { title: '押金付款', group: '账务' },
  deposit_requests: { title: '押金退还申请', group: '账务' },
  payment_settings: { title: '收款账户', group: '收款', without: ['callback_key'] },
  payment_setting_values: { title: '收款账户参数', group: '收款' },
  payment_intents: { title: '付款单', group: '收款', without: ['token'] },
  payment_attempts: { title: '付款尝试', group: '收款', without: ['parameters', 'code_url'] },
  payment_refunds: { title: '退款', group: '收款' },
  outbox_messages: { title: '短信发送', group: '短信' },
  campaigns: { title: '短信群发', group: '短信' },
  feedback_messages: { title: '意见反馈', group: '服务' },
  threads: { title: '会话', group: '服务', without: ['words'] },
  thread_messages: { title: '会话消息', group: '服务' },
  thread_pictures: { title: '会话图片', group: '服务' },
  work_orders: { title: '工单', group: '服务', without: ['words'] },
  work_order_messages: { title: '工单消息', group: '服务' },
  work_order_events: { title: '工单经过', group: '服务' },
  work_order_pictures: { title: '工单图片', group: '服务' },
  download_takes: { title: '下载过的文件', group: '服务' },
  help_reads: { title: '读过的帮助', group: '服务' },
  help_votes: { title: '帮助评价', group: '服务' },
  payment_applications: { title: '支付进件申请', group: '进件' },
  onboardings: { title: '微信支付进件', group: '进件' },
  onboarding_people: { title: '进件受益人', group: '进件' },
  acquirer_onboardings: { title: '收单机构进件', group: '进件' },
  acquirer_test_payments: { title: '收单测试付款', group: '进件', without: ['code_url'] },
  acquiring_progress: { title: '进件进度', group: '进件' },
  application_refusals: { title: '进件驳回', group: '进件' },
  account_changes: { title: '结算账户变更', group: '进件' },
  owner_papers: { title: '店主提交的资料', group: '进件' },
  program_applications: { title: '小程序申请', group: '小程序' },
  program_flows: { title: '小程序办理', group: '小程序', without: ['registration_key'] },
  program_flow_answers: { title: '小程序办理回复', group: '小程序' },
  program_profiles: { title: '小程序资料', group: '小程序' },
  program_profile_changes: { title: '小程序资料提交', group: '小程序' },
  program_codes: { title: '小程序代码', group: '小程序' },
  program_audits: { title: '小程序审核', group: '小程序' },
  program_testers: { title: '小程序体验者', group: '小程序' },
  release_train_shops: { title: '小程序分批发布', group: '小程序' },
  shop_page_drafts: { title: '商户页草稿', group: '页面与程序' },
  shop_page_versions: { title: '商户页版本', group: '页面与程序' },
  shop_page_pictures: { title: '商户页图片', group: '页面与程序' },
  shop_codes: { title: '商户页二维码', group: '页面与程序', without: ['code'] },
  webhook_endpoints: { title: '推送地址', group: '页面与程序' },
  webhook_deliveries: { title: '推送记录', group: '页面与程序' },
  saved_views: { title: '保存的筛选', group: '页面与程序' },
  list_columns: { title: '列表的列', group: '页面与程序' },
  setup_put_off: { title: '开始使用', group: '页面与程序' },
  operation_logs: {
    title: '操作日志',
    group: '记录',
    where: '(r.agent_id = $agent or r.about_agent_id = $agent)',
    // Who acts on its data from elsewhere is known there by name alone.
    as: {
      account_id: 'case when r.agent_id = $agent then r.account_id::text end',
      account_name: `case when r.agent_id = $agent then r.account_name else '厂商或其他机构人员' end`,
      ip: `case when r.agent_id = $agent then r.ip else '' end`,
      user_agent: `case when r.agent_id = $agent then r.user_agent else '' end`,
      request_id: `case when r.agent_id = $agent then r.request_id else '' end`,
    },
  },
  sign_ins: { title: '登录记录', group: '记录' },
  sign_in_devices: { title: '登录设备', group: '记录' },
  notices: { title: '通知', group: '记录' },
  notice_preferences: { title: '通知设置', group: '记录' },
  notice_thresholds: { title: '余额提醒', group: '记录' },
  inbox_items: { title: '待办分派', group: '记录' },
  export_jobs: { title: '导出任务', group: '记录' },
  files: { title: '图片与文件', group: '记录', without: ['plain_remains'] },
}

/** Tables whose rows name an agency, or one of its rows, and stay; each under its reason, as the archive tells it. */
export const LEFT_OUT = {
  '登录凭据和验证码：离开后即失效，留存只会带来风险': [
    ...[
      'account_codes',
      'compat_accesses',
      'compat_nonces',
      'compat_tokens',
      'factor_challenges',
      'factor_failures',
    ],
    ...[
      'factor_proofs',
      'factor_totps',
      'idempotency_keys',
      'owner_sessions',
      'partner_invitations',
      'passkeys',
    ],
    ...[
      'payment_sign_keys',
      'phone_change_codes',
      'recovery_codes',
      'sessions',
      'shop_sessions',
      'verification_codes',
    ],
  ],
  '汇总数字：可以用明细重新计算': [
    ...[
      'ledger_days',
      'merchant_counts',
      'merchant_days',
      'order_days',
      'sms_agent_days',
      'sms_days',
      'sms_uses',
    ],
  ],
  厂商对合作伙伴的内部记录: [
    ...[
      'agency_exports',
      'insight_sums',
      'partner_applications',
      'partner_closing_failures',
      'partner_closings',
    ],
    ...['partner_notes', 'partner_papers', 'person_erasure_items', 'renewed_terms'],
  ],
  '程序的临时记录：几分钟到几天内自动清除，内容在其他表中': [
    ...['change_inbox', 'owner_paper_parts', 'shop_changes', 'thread_presence', 'work_order_presence'],
  ],
  '操作日志的校验数据：已写入操作日志链': [
    ...['operation_log_anchors', 'operation_log_erasures', 'operation_log_heads', 'operation_log_links'],
    'operation_log_waiting',
  ],
} as const

/** Columns that stay behind in every table: secrets, hashes of them, what is made of other columns, and the program's own notes. */
export const STAYS =
  /(^|_)(hash|digest|password|secret|sealed)$|^search_text$|^claim$|^cursor(_|$)|^leased_until$/
/** Columns that name an agency beside the row's own: of others nothing is told. */
export const OF_AGENCIES = /^(\w+_agent_id|parent_id)$/

/** The condition of a table's rows. */
export function whereOf(table: string, agentId: number): string {
  if (!Number.isSafeInteger(agentId)) throw new Error('an agent is known by a whole number')
  return (CONTENTS[table]?.where ?? 'r.agent_id = $agent').replaceAll('$agent', String(agentId))
}

/** Groups with their tables, both in their order. */
export const GROUPED: readonly { group: Group; tables: readonly string[] }[] = GROUPS.map(group => ({
  group,
  tables: Object.keys(CONTENTS).filter(table => CONTENTS[table]?.group === group),
}))
