// Texts that a fresh database can send. A text is sent only as the providers have approved it: their codes stand beside it.
type Template = {
  key: string
  name: string
  text: string
  variables: { name: string; label: string }[]
  forCampaigns: boolean
}

const LABELS: Record<string, string> = {
  shop: '店铺名称',
  code: '验证码',
  version: '版本',
  word: '将于或已于',
  day: '到期日期',
  content: '正文',
  holiday: '节日',
  feature: '新功能',
  time: '时间',
  offer: '优惠内容',
  activity: '活动名称',
  place: '地点',
  phone: '联系电话',
  account: '账号',
  address: '登录地址',
  company: '公司名称',
  name: '姓名',
  amount: '消费金额',
  balance: '会员余额',
  item: '申请项目',
  reason: '驳回原因',
  table: '数据表',
  count: '行数',
  task: '要办的事',
}

/** The variables in the order in which they stand in the text. */
function template(key: string, name: string, text: string, forCampaigns = true): Template {
  const names = [...text.matchAll(/\$\{(\w+)\}/g)].map(match => match[1] as string)
  const variables = [...new Set(names)].map(name => ({ name, label: LABELS[name] as string }))
  return { key, name, text, variables, forCampaigns }
}

const slot = (name: string) => `\${${name}}`
const [SHOP, CODE] = [slot('shop'), slot('code')]
const codeText = (use: string) =>
  `您的验证码是 ${CODE}，10分钟内有效，用于商户「${SHOP}」${use}。请勿告诉他人。`

const TEMPLATES: Template[] = [
  template('phone-code', '修改手机号验证码', codeText('修改手机号'), false),
  template('recovery-code', '短信回收验证码', codeText('回收短信'), false),
  template(
    'account-code',
    '账号验证码',
    `您的验证码是 ${CODE}，10分钟内有效，用于重设合作伙伴后台的登录密码。请勿告诉他人。`,
    false,
  ),
  template(
    'password-reset',
    '密码重置通知',
    `商户「${SHOP}」的登录密码已由服务商重置，请向服务商获取新密码并尽快登录。如非本人要求，请立即联系服务商。`,
    false,
  ),
  template(
    'renewal-reminder',
    '续费提醒',
    `尊敬的商户「${slot('shop')}」，您使用的${slot('version')}${slot('word')} ${slot('day')} 到期，请及时联系服务商续费，以免影响使用。`,
    false,
  ),
  template(
    'holiday-greeting',
    '节日问候',
    `尊敬的商户「${SHOP}」，值此${slot('holiday')}来临之际，祝您生意兴隆、阖家安康！感谢您一直以来的支持。拒收请回复R`,
  ),
  template(
    'version-release',
    '新版本上线',
    `尊敬的商户「${SHOP}」，新版本已上线，新增${slot('feature')}，更新后即可使用。如有疑问请联系服务商。拒收请回复R`,
  ),
  template(
    'maintenance',
    '服务器维护通知',
    `尊敬的商户「${SHOP}」，系统将于${slot('time')}进行维护，期间可能无法使用，请提前做好准备，给您带来不便敬请谅解。`,
  ),
  template(
    'renewal-offer',
    '续费优惠',
    `尊敬的商户「${SHOP}」，现在续费可享${slot('offer')}，详情请联系您的服务商。拒收请回复R`,
  ),
  template(
    'activity-invitation',
    '活动邀请',
    `尊敬的商户「${SHOP}」，诚邀您参加${slot('activity')}，时间：${slot('time')}，地点：${slot('place')}，期待您的光临。拒收请回复R`,
  ),
  template(
    'service-change',
    '客服变更通知',
    `尊敬的商户「${SHOP}」，您的服务电话已变更为 ${slot('phone')}，如有需要请拨打该号码。`,
  ),
  template('custom-notice', '自定义通知', `尊敬的商户「${SHOP}」，${slot('content')}`),
  template(
    'hand-over',
    '开店通知',
    `商户「${SHOP}」已开通${slot('version')}，有效期至${slot('day')}。登录地址：${slot('address')}，账号：${slot('account')}，初始密码请向服务商获取。`,
    false,
  ),
  template(
    'own-phone-code',
    '更换手机号验证码',
    `您的验证码是 ${CODE}，10分钟内有效，用于更换合作伙伴后台账号的手机号。请勿告诉他人。`,
    false,
  ),
  template(
    'own-phone-changed',
    '手机号更换通知',
    `合作伙伴后台账号 ${slot('account')} 的手机号已更换为 ${slot('phone')}。如非本人操作，请立即联系厂商。`,
    false,
  ),
  template('shop-code', '门店登录验证码', codeText('登录门店页面'), false),
  template(
    'partner-code',
    '合作申请验证码',
    `您的验证码是 ${CODE}，10分钟内有效，用于提交合作伙伴申请。请勿告诉他人。`,
    false,
  ),
  template(
    'partner-refused',
    '合作申请婉拒通知',
    `「${slot('company')}」您好，感谢申请成为合作伙伴。经评估暂不能合作，如情况有变，欢迎再次申请。`,
    false,
  ),
  template(
    'partner-accepted',
    '合作申请通过通知',
    `「${slot('company')}」您好，合作伙伴申请已通过。请按邀请短信设置登录密码，首次登录后即可开通商户。`,
    false,
  ),
  template(
    'invitation',
    '开户邀请',
    `${slot('name')}，您好！${slot('company')}已开通合作伙伴账号 ${slot('account')}，请在72小时内打开 ${slot('address')}${CODE} 设置登录密码。请勿转发。`,
    false,
  ),
  template(
    'member-notice',
    '会员通知',
    `尊敬的会员，「${SHOP}」提醒您：${slot('content')}。拒收请回复R`,
    false,
  ),
  template(
    'member-balance',
    '会员余额变动',
    `尊敬的会员，您在「${SHOP}」本次消费${slot('amount')}元，会员余额${slot('balance')}元。`,
    false,
  ),
  template('identity-code', '实名资料验证码', codeText('核实实名资料'), false),
  template(
    'approval-passed',
    '审批通过通知',
    `商户「${SHOP}」申请的${slot('item')}「${slot('content')}」已通过审批，现已生效。`,
    false,
  ),
  template(
    'approval-refused',
    '审批驳回通知',
    `商户「${SHOP}」申请的${slot('item')}「${slot('content')}」未通过审批，原因：${slot('reason')}。请修改后重新提交。`,
    false,
  ),
  template(
    'table-cleared',
    '数据清空通知',
    `商户「${SHOP}」的${slot('table')}已由服务商清空，共${slot('count')}行，备份保留至${slot('day')}。如非本人要求，请立即联系服务商。`,
    false,
  ),
  template(
    'table-restored',
    '数据恢复通知',
    `商户「${SHOP}」的${slot('table')}已由服务商从备份恢复，共${slot('count')}行。如有疑问请联系服务商。`,
    false,
  ),
  template('owner-entry-code', '店主填写资料验证码', codeText('填写收款资料'), false),
  template('owner-signature-code', '店主签名验证码', codeText('签名并提交收款资料'), false),
  template(
    'owner-link',
    '店主资料链接',
    `商户「${SHOP}」，请店主本人在7天内打开 ${slot('address')}${CODE} 拍照填写收款资料。请勿转发。`,
    false,
  ),
  template(
    'owner-papers-returned',
    '店主资料退回通知',
    `商户「${SHOP}」，您提交的收款资料需要修改，请在${slot('day')}前打开原链接，按页面提示修改后重新提交。`,
    false,
  ),
  template(
    'onboarding-sign',
    '签约提醒',
    `商户「${SHOP}」的收款申请等待${slot('task')}，请经营者本人在${slot('day')}前用微信打开 ${slot('address')} 完成。请勿转发。`,
    false,
  ),
  template(
    'service-test',
    '测试短信',
    `这是一条测试短信，收到即表示短信服务已接通。发送时间：${slot('time')}。`,
    false,
  ),
]

export const SMS_TEMPLATES = TEMPLATES.map((template, position) => ({
  ...template,
  aliyunCode: `SMS_${290_000_001 + position}`,
  tencentId: String(2_100_001 + position),
  position,
}))
