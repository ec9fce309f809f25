// Owns the words of the operation log: what its rows are about (D3 §2 Operation log, §3).
// Must never hold a secret's value or say what a change meant: the verb that made it notes that.

/** What has a history, by the kind that `ctx.object` names. */
export const OBJECT_KINDS = {
  merchant: '商户',
  order: '订单',
  batch: '批量续费',
  account: '员工账号',
  role: '角色',
  agent: '代理商',
  product: '硬件商品',
  setting: '设置',
  content: '内容',
  campaign: '短信群发',
  message: '短信',
  payment: '支付',
  feedback: '反馈',
  consultation: '官网咨询',
  view: '列表视图',
  file: '文件',
} as const
