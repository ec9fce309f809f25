// What a fresh office's help centre tells: the tasks of this product, each opened from its page. Staff change it under 帮助管理.
import type { helpArticles, helpCategories } from './tables.ts'

export const HELP_CATEGORIES: (typeof helpCategories.$inferInsert)[] = [
  { id: 1, name: '商户与版本', position: 1 },
  { id: 2, name: '短信', position: 2 },
  { id: 3, name: '充值与结算', position: 3 },
  { id: 4, name: '审核与资料', position: 4 },
  { id: 5, name: '账号与安全', position: 5 },
]

type Row = typeof helpArticles.$inferInsert
/** A heading, a paragraph, or steps. */
export type Part = { h: string } | string | readonly string[]

const FROM = '2026-01-05T01:00:00.000Z'
const BY = { createdByName: '系统', updatedByName: '系统', state: 'published' } as const

function htmlOf(part: Part): string {
  if (typeof part === 'string') return `<p>${part}</p>`
  if ('h' in part) return `<h2>${part.h}</h2>`
  return `<ol>${part.map(step => `<li><p>${step}</p></li>`).join('')}</ol>`
}

function textOf(part: Part): string {
  if (typeof part === 'string') return part
  return 'h' in part ? part.h : part.join('\n')
}

export function article(row: Pick<Row, 'id' | 'kind' | 'title'> & Partial<Row>, parts: readonly Part[]): Row {
  const body = { body: parts.map(htmlOf).join(''), bodyText: parts.map(textOf).join('\n') }
  return { ...BY, publishedAt: FROM, updatedAt: FROM, ...body, ...row }
}

const flow = (id: number, categoryId: number, title: string, pages: string[], parts: readonly Part[]) =>
  article({ id, kind: 'flow', categoryId, title, pages }, parts)

const common = (id: number, categoryId: number, title: string, pages: string[], parts: readonly Part[]) =>
  article({ id, kind: 'common', categoryId, title, pages }, parts)

export const HELP_ARTICLES: Row[] = [
  flow(
    1,
    1,
    '新增商户并售出版本',
    ['/admin/merchant/addUser'],
    [
      '为新店开通软件，账号、版本和期限一次办完，费用从代币余额扣除。',
      [
        '打开「商户管理 → 新增商户」，选择软件版本、购买期限和行业。',
        '填写店铺名称、商户名称、登录账号和手机号码；带 * 的必须填写。',
        '核对页面下方的应付代币，余额不足时先充值。',
        '提交后可把登录方式交给店主：复制开店资料，或打印给对方。',
      ],
      { h: '提示' },
      '店铺账号售出后不能改为另一个人的手机号码，填写前请与店主确认。售错了可以在 15 天内撤销。',
    ],
  ),
  flow(
    2,
    1,
    '为商户续费或升级版本',
    ['/admin/merchant/versionUp1'],
    [
      '续费从原到期日往后延长；升级立即生效，按剩余时间折算。',
      [
        '在「我的商户」找到商户，点「续费」或「升级」。',
        '选择版本、期限和门店数量，页面会列出每一项的价格。',
        '确认后扣除代币，商户的新到期日马上生效。',
      ],
      '多家店一起续费时，在「续费工作台」勾选后批量办理，每一家的结果分别列出。',
    ],
  ),
  flow(
    3,
    1,
    '用续费工作台跟进到期商户',
    ['/admin/merchant/renewals', '/admin/merchant/overdueMerchants'],
    [
      '工作台把快到期的商户按轻重排好，并写明原因。',
      [
        '先看「今天要联系」的商户，点电话图标拨打。',
        '记录沟通结果和下次联系日期，到日期会再次出现在待办。',
        '愿意续费的直接在行内续费，或勾选多家一起续费。',
      ],
      '已过期的商户在「过期商户」里，短信提醒和续费办法相同。',
    ],
  ),
  flow(
    4,
    1,
    '从表格导入其他系统的商户',
    ['/admin/merchant/merchantImport'],
    [
      '适合一次接手许多店。导入前先下载模板，不要改动表头。',
      [
        '下载模板，一行填一家店，手机号码和账号请设为文本格式。',
        '上传文件后，系统逐行检查并说明哪里需要修改。',
        '改好后重新检查，确认无误再提交；全部完成会收到通知。',
      ],
      '有问题的行不会影响其他行。已存在的账号会列出来，不会被覆盖。',
    ],
  ),
  flow(
    5,
    2,
    '给商户购买短信',
    ['/admin/merchant/addedServices', '/admin/order/msgOrder'],
    [
      '短信条数记在商户名下，由您的短信余额或代币支付。',
      [
        '在「我的商户」点商户右侧的「短信」，或打开商户详情里的短信套餐。',
        '选择套餐或输入条数，核对费用后确认。',
        '成功后商户立即可用，订单在「短信订单」里可以查到。',
      ],
      '未使用的短信可以在规定期限内召回，已发送的不能召回。',
    ],
  ),
  flow(
    6,
    2,
    '群发短信给商户',
    ['/admin/merchant/messageEditing'],
    [
      '用于节日问候、到期提醒等，一次发给筛选出的商户。',
      [
        '选择模板，填写内容；签名须已通过审核。',
        '按版本、到期时间等条件筛选商户，页面显示人数和所需条数。',
        '先发一条给自己看效果，再正式发送或定时发送。',
      ],
      '发送结果在「短信发送记录」中按条查看，失败的可以重发。',
    ],
  ),
  flow(
    7,
    3,
    '扫码充值代币或短信余额',
    ['/admin/account/msgRecharge'],
    [
      '微信和支付宝都可以付，到账后右上角余额即时更新。',
      [
        '打开「充值」，选择充代币还是充短信，输入金额或选择套餐。',
        '用手机扫描页面上的二维码付款。',
        '页面提示到账后即可使用，不需要联系客服。',
      ],
      { h: '二维码过期怎么办' },
      '二维码 10 分钟内有效，过期后点「重新生成」。已经付款而页面没有变化时请不要重复付款，稍等片刻刷新即可。',
    ],
  ),
  flow(
    8,
    3,
    '撤销买错的订单',
    ['/admin/detail/billingDetails'],
    [
      '版本订单在支付后 15 天内可以撤销，代币原路退回余额。',
      [
        '打开「账单明细」，用订单号或商户名称找到订单。',
        '点「撤销」，核对会退回的代币和商户将恢复的到期日。',
        '需要审批的撤销会先提交申请，通过后自动办理并通知您。',
      ],
      '同一商户有多笔订单时，须从最后一笔开始撤销。超过 15 天不能撤销，按钮上会写明原因。',
    ],
  ),
  flow(
    9,
    4,
    '提交短信签名、店名和会员称谓的审核',
    ['/admin/merchant/smsManage', '/admin/merchant/storeName', '/admin/merchant/appellationManage'],
    [
      '商户提出的签名、店铺名称和会员称谓须审核后生效。',
      [
        '在列表中打开待审核的申请，核对原值和新值。',
        '签名须与营业执照或商标一致，缺资料时先请商户补充。',
        '点「通过」或「驳回」；驳回要写明原因，商户会看到。',
      ],
      '结果会即时通知申请人，一般在 1 至 3 个工作日内办结。',
    ],
  ),
  flow(
    10,
    4,
    '为商户实名认证',
    ['/admin/merchant/verification', '/admin/merchant/documents'],
    [
      '认证需要营业执照和法人身份证件，上传后系统自动识别。',
      [
        '打开商户的认证资料，上传清晰完整的照片。',
        '核对识别出的名称、代码和有效期，有误时改正。',
        '提交后等待审核，结果显示在列表和待办中。',
      ],
      '证件加密保存，查看和下载都有记录。快到期的证件会提前提醒更新。',
    ],
  ),
  flow(
    11,
    5,
    '开启二次验证',
    ['/admin/account/security', '/admin/account/securitySettings'],
    [
      '开启后，登录和资金操作需要手机上的验证码，密码泄露也不怕。',
      [
        '打开「登录与安全」，点「设置二次验证」，并输入登录密码。',
        '用验证器应用扫描二维码，输入 6 位验证码完成绑定。',
        '保存恢复码，手机丢失时用它登录；每个恢复码只能用一次。',
      ],
      '公司可以要求所有人开启。换手机前请先在新手机上重新绑定。',
    ],
  ),
  flow(
    12,
    5,
    '为员工建立子账号',
    ['/admin/account/userControl', '/admin/account/roleControl'],
    [
      '每位员工用自己的账号，权限由角色决定。',
      [
        '先在「角色管理」建立角色，勾选能打开的页面和能做的操作。',
        '在「员工管理」新增员工，填写姓名、账号和手机，并选择角色。',
        '员工首次登录须修改密码。离职时点「停用」，立即不能登录。',
      ],
      '可以让员工只看本人负责的商户。谁做了什么在「操作日志」里可以查到。',
    ],
  ),
  flow(
    13,
    4,
    '回复商户的反馈',
    ['/admin/help/feedback'],
    [
      '商户在收银软件里提交的问题会出现在这里，并计入待办。',
      [
        '打开一条反馈，可看到商户的资料和以往的对话。',
        '输入回复，可附最多 5 张图片，也可使用常用回复。',
        '处理不了的转交厂商；办完后关闭，商户会被请求评价。',
      ],
      '关闭之后不能再回复，请先确认商户的问题已解决。',
    ],
  ),
  common(
    14,
    3,
    '余额不足，怎么办？',
    ['/admin/detail/personalDetails'],
    [
      '购买时提示余额不足，先到「充值」用微信或支付宝扫码付款。',
      '每一笔收支在「余额变动」中都有记录，包括变动前后的余额和经手人，可导出核对。',
      '如果余额与您的记录不一致，请用导出的明细联系厂商。',
    ],
  ),
  common(
    15,
    2,
    '短信发送失败的常见原因',
    ['/admin/merchant/smsSendLog', '/admin/merchant/smsManageError'],
    [
      '失败的短信不扣条数或会退回。列表中写明每条失败的原因。',
      [
        '签名未审核通过：等待审核，或更换签名后重发。',
        '号码无效或停机：请商户核对会员手机号码。',
        '内容含有不允许的词：修改后重发。',
        '余额不足：先为商户购买短信。',
      ],
    ],
  ),
  common(
    16,
    5,
    '忘记密码或账号被锁定',
    ['/admin/account/changePassword'],
    [
      '在登录页点「忘记密码」，用手机验证码重新设置。',
      '连续输错多次后会暂时不能登录，等待提示的时间后再试，期间不要反复尝试。',
      '员工忘记密码时，可由有权限的同事在「员工管理」中重置。',
    ],
  ),
]
