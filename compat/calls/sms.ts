// SMS: packages, gifts and recalls of shops, one's own recharge by QR, what was sent, and approvals of what it is signed with.
import { all, always, named as at, BOTH, type Call, had, listed, of, rows, type Step, told } from '../call.ts'
import { APPROVAL_ROW, APPROVAL_STATES, PAGE, PAY_METHOD, PAY_METHODS, SEARCHED, SHOP_ID } from '../names.ts'
import { amount, filterText, instant, named, payload, several, states, text, whole } from '../units.ts'

const MEAL = {
  id: told('id'),
  sms_mealname: told('name'),
  sms_mealnum: told('pieces'),
  sms_mealprice: told('priceFen', amount),
} as const

const SMS_STATUS = states({ quoted: 1, ended: 0, paid: 2, given: 3, recycled: 4, refunded: 5 }, ['', -1])

const approvals = (call: string, also: readonly string[], operation: string, what: string): Call => ({
  name: call,
  also,
  methods: BOTH,
  path: at(call),
  said: 'D2 §3 Approval row, §7 Approvals, D3 §7',
  envelope: 'values',
  does: {
    steps: [{ operation, takes: { ...SEARCHED, state: of('approval_status', APPROVAL_STATES) } }],
    tells: listed({ ...APPROVAL_ROW, kind: always(what) }),
  },
})

const decide: readonly Step[] = [
  {
    operation: 'approvals.approve',
    when: { sent: 'approval_status', is: ['1'] },
    takes: { ids: { list: [of('id', whole)] } },
    refusedBy: 'rows.0.refusal',
  },
  {
    operation: 'approvals.reject',
    when: { sent: 'approval_status', is: ['2'] },
    takes: {
      ids: { list: [of('id', whole)] },
      reason: of('sv_refuseReason|refuseReason', text, always('不符合要求')),
    },
    refusedBy: 'rows.0.refusal',
  },
]

const decision = (name: string, also: readonly string[]): Call => ({
  name,
  also,
  methods: BOTH,
  path: at(name),
  said: 'D2 §7 Approvals, §8, D3 §7',
  chosen:
    'The documents have no reason of a rejection: sv_refuseReason is taken where it is sent, else 不符合要求 is said',
  envelope: 'values',
  does: { steps: decide, tells: told('rows.0.state', APPROVAL_STATES) },
})

const VERIFICATION = {
  merchantId: SHOP_ID,
  revision: had('kept.revision'),
  company: of('sv_company', text, had('kept.company')),
  creditCode: of('sv_credit_code', text, had('kept.creditCode')),
  legalPerson: of('sv_legalperson', text, had('kept.legalPerson')),
  personInCharge: of('sv_credit_username', text, had('kept.personInCharge')),
  signature: of('sv_us_signature', text, had('kept.signature')),
  phone: of('sv_phone', text, had('kept.phone')),
  idNumber: of('sv_idcard'),
  code: of('code', text, always('')),
  licenceId: had('licence.id'),
  idFrontId: had('front.id'),
  idBackId: had('back.id'),
  requestId: of('sv_signature_approval_id', whole),
  // The documents ask for no explanation: staff are told where it comes from.
  explanations: { all: { 'unproven:phone': of('remark', text, always('旧接口提交，手机号未验证')) } },
} as const

const pictureId = payload(
  'path of an uploaded paper',
  sent => String(sent).slice(String(sent).lastIndexOf('/') + 1),
  answered => answered,
)

/** A paper that came as the path of an upload is kept with the shop first; what stands there already is not sent. */
export const paper = (name: string, kind: string, as: string, shop = SHOP_ID): Step => ({
  operation: 'documents.keep',
  when: { given: name },
  as,
  takes: { merchantId: shop, kind: always(kind), fileId: of(name, pictureId) },
})

const identity = (name: string, also: readonly string[], said: string): Call => ({
  name,
  also,
  methods: BOTH,
  path: at(name),
  said,
  chosen:
    'Handed in for review at once. Pictures are paths that CommonImg answered with uploadFileType payment; what is not sent stays as it is',
  envelope: 'values',
  does: {
    steps: [
      { operation: 'verification.ofShop', as: 'kept', takes: { merchantId: SHOP_ID } },
      paper('sv_creditcode_url', 'businessLicence', 'licence'),
      paper('sv_idcard_front', 'idCardFront', 'front'),
      paper('sv_idcard_back', 'idCardBack', 'back'),
      { operation: 'verification.submit', takes: VERIFICATION },
    ],
    tells: told('state', states({ verified: 1, unverified: 2, failed: 3, reviewing: 4 })),
  },
})

export const MESSAGE_NAMES = {
  queued: '待发送',
  sending: '发送中',
  submitted: '已提交',
  delivered: '已送达',
  failed: '发送失败',
  unknown: '待确认',
  expired: '已失效',
  cancelled: '已取消',
}
const MESSAGE_STATE = states(
  { queued: 0, sending: 1, submitted: 2, delivered: 3, failed: 4, unknown: 5, expired: 6, cancelled: 7 },
  ['', -1],
)

function isFree(undo: unknown): boolean {
  return typeof undo === 'object' && undo !== null && (undo as { refusal: unknown }).refusal === null
}

export const SMS: readonly Call[] = [
  {
    name: 'GetPTSMSPackage',
    also: ['getSmsPackage'],
    methods: BOTH,
    path: at('GetPTSMSPackage'),
    said: 'D1 §3 SMS package, §7, D3 §7',
    envelope: 'values',
    does: { steps: [{ operation: 'payments.offer' }], tells: rows(MEAL, 'packages') },
  },
  {
    name: 'PTInsertSns_orderByDistributor',
    also: ['SmsHandle'],
    methods: BOTH,
    path: at('PTInsertSns_orderByDistributor'),
    said: 'D1 §7 SmsHandle, D2 §5, §7, D3 §7',
    chosen:
      'type 0 gives credit to a shop, 1 recalls what is unused; sms_amount is the operator’s to say and is not taken',
    envelope: 'values',
    does: {
      steps: [
        {
          operation: 'sms.gift',
          when: { sent: 'type', is: ['0'] },
          takes: {
            merchantId: SHOP_ID,
            pieces: of('sms_mealnum', whole),
            remark: of('sms_remark', text, always('')),
          },
        },
        {
          operation: 'sms.recall',
          when: { sent: 'type', is: ['1'] },
          takes: {
            merchantId: SHOP_ID,
            pieces: of('sms_mealnum', whole),
            code: of('sms_code', text, always('')),
          },
        },
      ],
      tells: all({
        sms_ordenum: told('orderNo'),
        sms_beforenum: told('smsBefore'),
        sms_afternum: told('smsAfter'),
        sv_sms_balance: told('agentSms'),
      }),
    },
  },
  {
    name: 'PTSaveSns_Dec_Order',
    also: ['postConvergePay', 'smsOnlineRecharge'],
    methods: BOTH,
    path: at('PTSaveSns_Dec_Order'),
    said: 'D1 §4 SMS top-up by QR, §7 postConvergePay, D3 §7',
    chosen:
      'Recharges the acting agent’s own SMS, whatever targetShopId says; money is what the client showed, and another price is refused',
    envelope: 'values',
    does: {
      steps: [
        {
          operation: 'payments.startSms',
          takes: {
            packageId: of('data.id|id', whole, always(null)),
            pieces: of('data.sms_mealnum|sms_mealnum', whole, always(null)),
            amountFen: of('money|data.sms_mealprice|sms_mealprice', amount, always(null)),
          },
        },
      ],
      tells: all({
        payUrl: told('payUrl'),
        queryId: told('queryId'),
        expired: told('expired'),
        sms_ordenum: told('orderNo'),
        subject: told('subject'),
        money: told('amountFen', amount),
      }),
    },
  },
  {
    name: 'getConvergePayResult',
    methods: BOTH,
    path: at('getConvergePayResult'),
    said: 'D1 §4, §7',
    envelope: 'values',
    does: {
      steps: [{ operation: 'payments.result', takes: { queryId: of('queryId') } }],
      tells: all({ action: told('action'), status: told('status'), msg: told('msg') }),
    },
  },
  {
    name: 'GetPayOrder',
    methods: ['GET'],
    path: '/UserInfo/GetPayOrder/:id',
    said: 'D3 §7',
    chosen: 'id is the queryId; envelope (b), as nothing is said',
    envelope: 'data',
    does: {
      steps: [{ operation: 'payments.result', takes: { queryId: of('id') } }],
      tells: all({ action: told('action'), status: told('status'), msg: told('msg') }),
    },
  },
  {
    name: 'ShowPayLinkBy{product}',
    methods: ['GET'],
    path: '/UserInfo/ShowPayLinkBy:product',
    said: 'D3 §7',
    chosen: 'The documents name neither its parameters nor its host',
    envelope: 'values',
    does: { none: '请用 PTSaveSns_Dec_Order 下单，付款地址在它的 payUrl 里' },
  },
  {
    name: 'GetDecSMSorderstate',
    also: ['querySmsOrderUnfinished'],
    methods: BOTH,
    path: at('GetDecSMSorderstate'),
    said: 'D1 §4 Older recharge flow, §7, D2 §4, §7, D3 §7',
    chosen: 'result 0: not paid, 1: paid; sms_mealstatus 3 with it, for the older flow',
    envelope: 'values',
    does: {
      steps: [{ operation: 'payments.check', takes: { orderNo: of('order|sms_ordenum|ordernum') } }],
      tells: all({
        result: told('result'),
        status: told(
          'result',
          payload(
            '3 paid, 1 awaiting',
            sent => sent,
            result => (result === 1 ? 3 : 1),
          ),
        ),
        queryId: told('queryId'),
      }),
    },
  },
  {
    name: 'PTGetValuesRecordPageListByUserId',
    also: ['getMsmOrderData'],
    methods: BOTH,
    path: at('PTGetValuesRecordPageListByUserId'),
    said: 'D2 §3 SMS order, §7 getMsmOrderData, D3 §7',
    envelope: 'values',
    does: {
      steps: [{ operation: 'smsDesk.orders', takes: { ...SEARCHED, payMethod: of('payment', PAY_METHOD) } }],
      tells: listed(
        {
          sms_ordenum: told('orderNo'),
          user_id: told('merchantId'),
          sv_us_name: told('shopName'),
          sms_mealname: told('name'),
          sms_beforenum: told('smsBefore'),
          sms_mealnum: told('pieces'),
          sms_afternum: told('smsAfter'),
          sms_mealprice: told('totalCents', amount),
          sms_mealpayment: told('payMethod', named(PAY_METHODS)),
          sms_mealstatus: told('status', SMS_STATUS),
          sms_mealdate: told('createdAt', instant),
          sv_d_user_name: told('createdByName'),
          sms_remark: told('remark'),
          is_revoke: told(
            'undo',
            payload(
              'true: may be recalled',
              s => s,
              undo => isFree(undo),
            ),
          ),
        },
        { totalMoney: told('totalCents', amount), totalNum: told('totalPieces') },
      ),
    },
  },
  {
    name: 'PTGetGiftsmsRecordPageListByUserId',
    methods: BOTH,
    path: at('PTGetGiftsmsRecordPageListByUserId'),
    said: 'D3 §7',
    chosen: 'The same list, of gifts alone',
    envelope: 'values',
    does: {
      steps: [{ operation: 'smsDesk.orders', takes: { ...SEARCHED, kind: always('gift') } }],
      tells: listed({
        sms_ordenum: told('orderNo'),
        user_id: told('merchantId'),
        sv_us_name: told('shopName'),
        sms_mealnum: told('pieces'),
        sms_beforenum: told('smsBefore'),
        sms_afternum: told('smsAfter'),
        sms_mealdate: told('createdAt', instant),
        sv_d_user_name: told('createdByName'),
        sms_remark: told('remark'),
      }),
    },
  },
  {
    name: 'GeEnumMealpayment',
    also: ['geEnumMealpayment'],
    methods: BOTH,
    path: at('GeEnumMealpayment'),
    said: 'D2 §7, §9 Payment types, D3 §7, §9',
    chosen: 'The numbers are ours, in the order of the documents’ names',
    envelope: 'values',
    does: {
      steps: [],
      tells: always(Object.values(PAY_METHODS).map((value, at) => ({ id: at + 1, value }))),
    },
  },
  {
    name: 'PTSns_orderCancelByDistributor',
    also: ['msmOrderRecall'],
    methods: BOTH,
    path: at('PTSns_orderCancelByDistributor'),
    said: 'D2 §4, §7 msmOrderRecall, §8, D3 §7',
    chosen: 'The reason that an undo asks for is sms_remark where it is sent, else 旧接口撤回',
    envelope: 'values',
    does: {
      steps: [
        {
          operation: 'settlement.undo',
          takes: {
            kind: always('sms'),
            orderNo: of('order|sms_ordenum', text, always('')),
            reason: of('sms_remark|reason', text, always('旧接口撤回')),
          },
        },
      ],
      tells: told('state', named({ undone: '撤回成功！', pending: '已提交审批' })),
    },
  },
  {
    name: 'PTGetSnsCancelOrderList',
    also: ['getMsmChangesOrderData'],
    methods: BOTH,
    path: at('PTGetSnsCancelOrderList'),
    said: 'D2 §3 SMS change order, §7, D3 §7',
    chosen: 'The hidden filter works: kind withdrawn or recalled, startDate and endDate',
    envelope: 'values',
    does: {
      steps: [
        {
          operation: 'smsDesk.changes',
          takes: {
            ...SEARCHED,
            kind: of('type', states({ withdrawn: 1, recalled: 2 }, ['', -1, 0])),
          },
        },
      ],
      tells: listed({
        sms_ordenum: told('orderNo'),
        user_id: told('merchantId'),
        sv_us_name: told('shopName'),
        sms_mealname: told('name'),
        sms_beforenum: told('changeBefore'),
        sms_afternum: told('changeAfter'),
        sms_mealnum: told('pieces'),
        sms_mealprice: told('totalCents', amount),
        sms_mealdate: told('changedAt', instant),
        sv_d_user_name: told('createdByName'),
        sms_remark: told('remark'),
      }),
    },
  },
  {
    name: 'GetMemberSate',
    also: ['getMemberSate'],
    methods: BOTH,
    path: at('GetMemberSate'),
    said: 'D2 §7, D3 §7',
    chosen: 'The numbers are ours',
    envelope: 'values',
    does: {
      steps: [],
      tells: always([
        { id: 0, value: '待发送' },
        { id: 1, value: '发送中' },
        { id: 2, value: '已提交' },
        { id: 3, value: '已送达' },
        { id: 4, value: '发送失败' },
        { id: 5, value: '待确认' },
        { id: 6, value: '已失效' },
        { id: 7, value: '已取消' },
      ]),
    },
  },
  {
    name: 'GetSmsSendList',
    also: ['getSmsSendList'],
    methods: BOTH,
    path: at('GetSmsSendList'),
    said: 'D2 §3 SMS log, §7, D3 §7',
    envelope: 'values',
    does: {
      steps: [
        {
          operation: 'messageDesk.log',
          takes: { ...SEARCHED, status: of('member_sate|memberState|status', MESSAGE_STATE) },
        },
      ],
      tells: listed({
        sms_guid: told('id'),
        user_id: told('merchantId'),
        sms_smslistdate: told('createdAt', instant),
        sms_smslistmoble: told('phone'),
        sms_smslist_text: told('text'),
        member_sate: told('status', MESSAGE_STATE),
        member_sate_name: told('status', named(MESSAGE_NAMES)),
        is_reissued: told(
          'resentAs',
          payload(
            'true: sent again',
            s => s,
            id => id !== null,
          ),
        ),
      }),
    },
  },
  {
    name: 'SmsReSend',
    also: ['smsReSend'],
    methods: BOTH,
    path: at('SmsReSend'),
    said: 'D2 §7, D3 §7',
    envelope: 'values',
    does: {
      steps: [
        {
          operation: 'messageDesk.resend',
          takes: { ids: of('sms_guid|ids|list|body', several(whole), always([])) },
        },
      ],
      tells: told('queued'),
    },
  },
  {
    name: 'PTSendSms',
    also: ['sendSms'],
    methods: BOTH,
    path: at('PTSendSms'),
    said: 'D2 §6, §7 sendSms, D3 §7',
    envelope: 'values',
    does: {
      steps: [
        {
          operation: 'messageDesk.remind',
          takes: { merchantIds: of('user_id|list|ids|body', several(whole), always([])) },
        },
      ],
      tells: rows({ user_id: told('merchantId'), sv_us_name: told('shopName'), refusal: told('refusal') }),
    },
  },
  approvals('getSignatureApprovalList', ['GetSignatureApprovalList'], 'approvals.signatures', 'signature'),
  approvals('getUserNameApprovalList', ['GetUserNameApprovalList'], 'approvals.shopNames', 'userName'),
  approvals('getCallNameApprovalList', ['GetCallNameApprovalList'], 'approvals.memberTitles', 'callName'),
  decision('approvalSignature', ['ApprovalSignature']),
  decision('approvalUserName', ['ApprovalUserName']),
  decision('approvalCallName', ['ApprovalCallName']),
  {
    name: 'SaveSignatureByDistributor',
    also: ['saveSignatureByDistributor'],
    methods: BOTH,
    path: at('SaveSignatureByDistributor'),
    said: 'D1 §5 SMS signature, §7, D3 §7',
    chosen:
      'Asks for approval, as a distributor may: it is the shop’s once approvalSignature has approved it',
    envelope: 'values',
    does: {
      steps: [
        {
          operation: 'approvals.request',
          takes: {
            merchantId: SHOP_ID,
            kind: always('signature'),
            content: of('sv_us_signature|signature', text, always('')),
          },
        },
      ],
      tells: all({ sv_signature_approval_id: told('id') }),
    },
  },
  {
    name: 'GetSignatureIdentification',
    also: ['getSignatureIdentification'],
    methods: BOTH,
    path: at('GetSignatureIdentification'),
    said: 'D1 §3 Verification data, §7, D2 §3, §7, D3 §7',
    chosen:
      'By the shop (user_id, or id); the number of the ID card is masked, and of a picture the number of the paper is told',
    envelope: 'values',
    does: {
      steps: [{ operation: 'verification.ofShop', takes: { merchantId: of('user_id|id', whole) } }],
      tells: all({
        user_id: told('merchantId'),
        sv_us_name: told('shopName'),
        sv_company: told('company'),
        sv_credit_code: told('creditCode'),
        sv_legalperson: told('legalPerson'),
        sv_credit_username: told('personInCharge'),
        sv_idcard: told('idNumberMasked'),
        sv_us_signature: told('signature'),
        sv_phone: told('phone'),
        sv_status: told('state', states({ verified: 1, unverified: 2, failed: 3, reviewing: 4 })),
        sv_refusereason: told('reason'),
        papers: rows({ name: told('name'), id: told('id') }, 'papers'),
      }),
    },
  },
  identity('SaveSignatureIdentification', ['saveSignatureIdentification'], 'D2 §5, §7, D3 §7'),
  identity(
    'SaveIdentificationByDistributor',
    ['saveIdentificationByDistributor'],
    'D1 §5 Verification form, §7, D3 §7',
  ),
  {
    name: 'PTGetDealerRecordPageList',
    methods: BOTH,
    path: at('PTGetDealerRecordPageList'),
    said: 'D3 §3 SMS change, §7 Settlement',
    envelope: 'values',
    does: {
      steps: [
        {
          operation: 'smsDesk.merchantChanges',
          takes: { ...PAGE, search: of('search|keywards', filterText), merchantId: of('user_id', whole) },
        },
      ],
      tells: listed({
        sms_ordenum: told('orderNo'),
        user_id: told('merchantId'),
        sms_mealname: told('name'),
        sms_beforenum_host: told('before'),
        sms_afternum_host: told('after'),
        sms_mealnum: told('pieces'),
        sms_mealprice: told('totalCents', amount),
        sms_mealdate: told('createdAt', instant),
        sms_mealpayment: told('payMethod', named(PAY_METHODS)),
        sms_remark: told('remark'),
      }),
    },
  },
]
