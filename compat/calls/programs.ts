// Applications of shops for mini programs and payments, and what the platform of mini programs is asked.
import {
  all,
  always,
  named as at,
  BOTH,
  type Call,
  had,
  listed,
  of,
  rows,
  type Step,
  type Taken,
  type Takes,
  type Told,
  told,
} from '../call.ts'
import { APPLICATION_ID, PROGRAM_TYPES, SEARCHED } from '../names.ts'
import { instant, payload, states, text, type Unit, whole, wholeOrAll, wholeOrNull } from '../units.ts'
import { paper } from './sms.ts'

const APPLICATION = 'D2 §3 Applet application, §7 Applet and payment, D3 §7'
const STATE = states({ draft: -1, pending: 0, approved: 1, rejected: 2 }, [''])
const PROGRESS = states({ running: 11, completed: 12 }, ['', -1, 0])
/** How far one is, in the documents' three numbers; they are made of the one state that we keep. */
const FLOW: Readonly<Record<string, readonly [status: number, step: number, submitted: number]>> = {
  review: [1, 1, 0],
  toCreate: [1, 2, 0],
  creating: [1, 3, 0],
  faceCheck: [1, 3, 0],
  creationRefused: [1, 3, 0],
  toAuthorize: [2, 5, 0],
  toTakeOver: [9, 99, 0],
  authorized: [2, 6, 0],
  profile: [2, 6, 1],
  code: [2, 6, 10],
  inAudit: [2, 6, 11],
  released: [2, 6, 12],
}
const flowNumber = (place: 0 | 1 | 2): Unit =>
  payload(
    'number of the flow',
    sent => sent,
    state => FLOW[String(state)]?.[place] ?? null,
  )

const REFUSED = of('reason|reg_remark|remark', text, always('资料不符合要求'))
const DETAILS: Step = { operation: 'programApplications.details', as: 'kept', takes: { id: APPLICATION_ID } }
const ON_KEPT: Takes = { id: APPLICATION_ID, revision: had('kept.revision') }

type Papers = readonly { name: string; id: number }[]
/** What the shop has handed in already. */
const kept = (name: string): Taken =>
  had(
    'kept.papers',
    always(null),
    payload(
      'papers',
      papers => (papers as Papers).find(one => one.name === name)?.id ?? null,
      told => told,
    ),
  )

const SHOP = had('shop.merchantId')
const docs = (name: string, kind: string, as: string): Step => paper(name, kind, as, SHOP)

const PROGRAM_ROW: Readonly<Record<string, Told>> = {
  sv_wxapp_application_id: told('id'),
  member_userid: told('merchantId'),
  sv_us_name: told('shopName'),
  distributor_id: told('agentId'),
  distributor_name: told('agentName'),
  reg_accountno: told('account'),
  reg_companyname: told('companyName'),
  reg_companycode: told('companyCode'),
  reg_wechatno: told('legalPersonWechatMasked'),
  reg_name: told('legalPersonName'),
  reg_phoneno: told('servicePhone'),
  reg_wxapp_name: told('programName'),
  reg_wxapp_sign: told('intro'),
  reg_category: told('programType', PROGRAM_TYPES),
  reg_category1: told('categoryName'),
  reg_status: told('state', STATE),
  reg_wxapp_regflowstatus: told('state', flowNumber(0)),
  reg_wxapp_regflowstep: told('state', flowNumber(1)),
  reg_wxapp_submitstatus: told('state', flowNumber(2)),
  sv_creation_date: told('createdAt', instant),
  submitted: told('submittedAt', instant),
  sv_modification_date: told('handledAt', instant),
}

/** Of one list for several kinds: a row has what its kind has. */
const FOUND_ROW: Readonly<Record<string, Told>> = {
  ...PROGRAM_ROW,
  reg_remark: told('remark'),
  pay_type: told('payType', states({ corporate: 0, private: 1 })),
  pay_accountno: told('account'),
  pay_phoneno: told('phone'),
  pay_email: told('email'),
  bank_region: told('regionName'),
  pay_info_bank: told('branchName'),
  pay_info_status: told('state', STATE),
}

const decided = (feature: string, reasons: Takes): readonly Step[] => [
  { operation: `${feature}.details`, as: 'kept', takes: { id: APPLICATION_ID } },
  { operation: `${feature}.approve`, when: { sent: 'status', is: ['1'] }, takes: ON_KEPT },
  { operation: `${feature}.reject`, when: { sent: 'status', is: ['2'] }, takes: { ...ON_KEPT, ...reasons } },
]

const MEMBER = of('member_user_id|member_userid|user_id|uid', whole)
const OF_MEMBER: Step = { operation: 'programApplications.ofShop', as: 'app', takes: { merchantId: MEMBER } }

/** What the platform is asked by its own names: each is an operation, and the platform's own answer stands in it as it was understood. */
type Asked = { name: string; steps: readonly Step[]; tells: Readonly<Record<string, Told>>; chosen?: string }
/** A parameter wherever the documents put it. */
const sent = (names: string, as: Unit = text, or?: Taken) =>
  of(
    names
      .split('|')
      .flatMap(name => [name, `BodyContent.${name}`, `UrlParm.${name}`])
      .join('|'),
    as,
    or,
  )
const UID = sent('uid|member_userid|user_id', whole)
const APP: Step = { operation: 'programApplications.ofShop', as: 'app', takes: { merchantId: UID } }
const ID = { id: had('app.id') } as const
const asks = (operation: string, more: Takes = {}): readonly Step[] => [
  APP,
  { operation, takes: { ...ID, ...more } },
]
const SENT_PICTURE = payload(
  'path of an upload',
  value => String(value).slice(String(value).lastIndexOf('/') + 1),
  v => v,
)
const SHOWN = told('standing', states({ available: 0, proof: 0, unavailable: 53010, unknown: -1 }))

const PLATFORM: readonly Asked[] = [
  {
    name: 'api_wxa_checkwxverifynickname',
    steps: [
      { operation: 'programApplications.checkName', takes: { name: sent('nick_name', text, always('')) } },
    ],
    tells: { errcode: SHOWN, errmsg: told('words') },
  },
  {
    name: 'wxapp_getaccountbasicinfo',
    steps: asks('programFlow.details'),
    tells: {
      principal_name: told('basicInfo.principalName'),
      realname_status: told('basicInfo.realName', states({ confirmed: 1, pending: 2, failed: 3 })),
      nickname: told('basicInfo.nickName.value'),
      head_image_url: told('basicInfo.headImage.url'),
      signature: told('basicInfo.signature.value'),
    },
  },
  {
    name: 'wxapp_getqueryfastregisterweapp',
    steps: asks('programFlow.look'),
    tells: { errcode: told('state', registered()), state: told('state') },
  },
  {
    name: 'wxapp_fastregisterweapp',
    steps: [
      {
        operation: 'programFlow.details',
        as: 'flow',
        takes: { id: sent('sv_wxapp_application_id|id', whole) },
      },
      {
        operation: 'programFlow.create',
        takes: {
          id: had('flow.id'),
          revision: had('flow.revision'),
          companyName: sent('name', text, had('flow.companyName')),
          companyCode: sent('code', text, had('flow.companyCode')),
          legalPersonWechat: sent('legal_persona_wechat', text, always('')),
          legalPersonName: sent('legal_persona_name', text, had('flow.legalPersonName')),
          servicePhone: sent('component_phone', text, had('flow.servicePhone')),
        },
      },
    ],
    tells: { state: told('state') },
    chosen: 'Needs sv_wxapp_application_id, as the form that asks it has it in its address (D3 §2)',
  },
  {
    name: 'wxapp_setnicknameV2',
    steps: [
      APP,
      {
        operation: 'programProfile.setName',
        when: { sent: 'what', is: ['', 'setnickname'] },
        takes: { ...ID, programName: sent('setnickname|nick_name', text, always('')) },
      },
      {
        operation: 'programProfile.setIntro',
        when: { sent: 'what', is: ['sign'] },
        takes: { ...ID, intro: sent('sign', text, always('')) },
      },
      {
        operation: 'documents.keep',
        as: 'head',
        when: { sent: 'what', is: ['head_img'] },
        takes: { merchantId: UID, kind: always('headImage'), fileId: sent('head_img', SENT_PICTURE) },
      },
      {
        operation: 'programProfile.setHeadImage',
        when: { sent: 'what', is: ['head_img'] },
        takes: { ...ID, documentId: had('head.id') },
      },
    ],
    tells: {},
    chosen: 'what says which part: setnickname (as without it), sign or head_img; each is audited by itself',
  },
  {
    name: 'addcategoryV2',
    steps: asks('programProfile.setCategory', { categoryId: sent('categories.0.second|second', whole) }),
    tells: {},
    chosen:
      'The first of categories; papers that are kept with the shop are taken along by number alone, so those of a category are handed in at the office',
  },
  {
    name: 'gettemplatelist',
    steps: asks('programVersions.templates'),
    tells: {
      template_list: rows(
        {
          template_id: told('templateId'),
          user_version: told('version'),
          user_desc: told('description'),
          create_time: told('createdAt', instant),
        },
        'templates',
      ),
    },
    chosen: 'Of one mini program (uid): its own templates stand alone',
  },
  {
    name: 'set_apptemid',
    steps: asks('programVersions.setCode', { templateId: sent('template_id', whole) }),
    tells: { deed: told('deed') },
    chosen: 'appType follows from the mini program',
  },
  {
    name: 'bind_tester',
    steps: [
      APP,
      {
        operation: 'programVersions.addTester',
        when: { sent: 'isbind', is: ['', 'true', '1'] },
        takes: { ...ID, wechat: sent('wechatid', text, always('')) },
      },
      {
        operation: 'programVersions.removeTester',
        when: { sent: 'isbind', is: ['false', '0'] },
        takes: { ...ID, userString: sent('userstr|wechatid', text, always('')) },
      },
    ],
    tells: { userstr: told('userString') },
  },
  {
    name: 'get_qrcode',
    steps: asks('programVersions.trialCode'),
    tells: { base64: told('base64') },
    chosen: 'The picture as base64',
  },
  {
    name: 'getwxacode',
    steps: asks('programVersions.liveCode'),
    tells: { base64: told('base64') },
    chosen: 'The picture as base64',
  },
  {
    name: 'get_category',
    steps: asks('programProfile.details'),
    tells: {
      categories: rows(
        {
          first: told('first'),
          second: told('second'),
          name: told('name'),
          audit_status: told('state', states({ reviewing: 1, refused: 2, passed: 3 })),
          audit_reason: told('reason'),
        },
        'categories',
      ),
    },
  },
  {
    name: 'wxapp_submit_audit',
    steps: asks('programVersions.submit', { feedback: sent('feedback_info', text, always('')) }),
    tells: { deed: told('deed') },
    chosen:
      'tag, classes and their ids follow from what the mini program has; the number of the audit is told by get_auditstatus',
  },
  {
    name: 'get_auditstatus',
    steps: asks('programVersions.details'),
    tells: {
      auditid: told('audits.0.auditId'),
      status: told(
        'audits.0.state',
        states({ passed: 0, released: 0, refused: 1, reviewing: 2, withdrawn: 3, delayed: 4 }),
      ),
      reason: told('audits.0.reason'),
    },
    chosen: 'Of the newest audit',
  },
  {
    name: 'api_wxa_querynickname',
    steps: asks('programProfile.details'),
    tells: {
      nickname: told('parts', part('value')),
      audit_stat: told('parts', part('state', { passed: 3, refused: 2, reviewing: 1, sending: 1 })),
      fail_reason: told('parts', part('reason')),
    },
    chosen: 'Of the name that was handed in last',
  },
]

type Parts = readonly { part: string; change: Readonly<Record<string, unknown>> | null }[]
function part(field: string, numbers?: Readonly<Record<string, number>>): Unit {
  return payload(
    'of the name',
    value => value,
    parts => {
      const value = (parts as Parts | null)?.find(one => one.part === 'name')?.change?.[field] ?? null
      return numbers ? (numbers[String(value)] ?? null) : value
    },
  )
}

function registered(): Unit {
  const pending = ['creating', 'faceCheck', 'toCreate', 'review']
  return payload(
    '0: there',
    value => value,
    state => (pending.includes(String(state)) ? 89250 : state === 'creationRefused' ? -1 : 0),
  )
}

const answer = (tells: Readonly<Record<string, Told>>): Told => ({
  json: all({ errcode: always(0), errmsg: always('ok'), ...tells }),
})

const OPEN_API: readonly Call[] = PLATFORM.map(({ name, steps, tells, chosen }) => ({
  name,
  methods: BOTH,
  path: `/api/WxOpen/${name}`,
  said: 'D2 §7 OpenApiRequest, D3 §7 Applet registration',
  ...(chosen && { chosen }),
  envelope: 'values' as const,
  does: { steps, tells: answer(tells) },
}))

/** The same by the one call that names them. */
const DISPATCHED: Call = {
  name: 'OpenApiRequest',
  methods: BOTH,
  path: at('OpenApiRequest'),
  said: 'D2 §7 OpenApiRequest, D3 §7',
  chosen:
    'Name says which; parameters stand in UrlParm or BodyContent. Answers have every field that one of the names has',
  envelope: 'values',
  does: {
    steps: PLATFORM.flatMap(({ name, steps }) =>
      steps.map((step): Step => {
        const isIt = { sent: 'Name', is: [name, `/${name}`] }
        return { ...step, when: step.when ? { both: [isIt, step.when] } : isIt }
      }),
    ),
    tells: answer(Object.assign({}, ...PLATFORM.map(({ tells }) => tells))),
  },
}

const PAY_PAPERS = [
  ['id_card', 'idCardFront', 'idFrontId'],
  ['id_card1', 'idCardBack', 'idBackId'],
  ['license', 'businessLicence', 'licenceId'],
  ['shop_head', 'shopFront', 'shopFrontId'],
  ['checkstand', 'checkstand', 'checkstandId'],
  ['shop', 'shopInside', 'shopInsideId'],
] as const
const PROGRAM_PAPERS = [
  ['head_img', 'headImage', 'headImageId'],
  ['id_card', 'idCardFront', 'idFrontId'],
  ['id_card1', 'idCardBack', 'idBackId'],
  ['license', 'businessLicence', 'licenceId'],
] as const

const paperSteps = (within: string, papers: readonly (readonly [string, string, string])[]) =>
  papers.map(([name, kind, field]) => docs(`${within}.${name}`, kind, field))
const paperTakes = (papers: readonly (readonly [string, string, string])[]): Takes =>
  Object.fromEntries(papers.map(([, , field]) => [field, had(`${field}.id`, kept(field))]))

const submitProgram: Call = {
  name: 'RegisterWechat',
  also: ['submitAppletInformation'],
  methods: ['POST'],
  path: '/WechatApply/RegisterWechat',
  said: 'D2 §5 Applet form, §7 submitAppletInformation, D3 §7',
  chosen:
    'The shop is that of reg_accountno, its agent that of the shop. Pictures of reg_doc are paths of uploads (CommonImg, applet); those that are not sent stay. reg_wxapp_regflowstatus 9: a mini program that there is already',
  envelope: 'values',
  does: {
    steps: [
      {
        operation: 'programApplications.find',
        as: 'shop',
        takes: { account: of('reg_accountno', text, always('')) },
      },
      {
        operation: 'programApplications.addExisting',
        when: { sent: 'reg_wxapp_regflowstatus', is: ['9'] },
        takes: { merchantId: SHOP, programType: of('reg_category', PROGRAM_TYPES) },
      },
      ...[
        { operation: 'programApplications.ofShop', as: 'kept', takes: { merchantId: SHOP } },
        ...paperSteps('reg_doc', PROGRAM_PAPERS),
        {
          operation: 'programApplications.submit',
          takes: {
            merchantId: SHOP,
            revision: had('kept.revision'),
            companyName: of('reg_companyname', text, had('kept.companyName')),
            companyCode: of('reg_companycode', text, had('kept.companyCode')),
            legalPersonWechat: of('reg_wechatno', text, always('')),
            legalPersonName: of('reg_name', text, had('kept.legalPersonName')),
            servicePhone: of('reg_phoneno', text, had('kept.servicePhone')),
            programName: of('reg_wxapp_name', text, had('kept.programName')),
            programType: of('reg_category', PROGRAM_TYPES, had('kept.programType')),
            intro: of('reg_wxapp_sign', text, had('kept.intro')),
            categoryId: of('reg_category2', wholeOrNull, had('kept.categoryId')),
            ...paperTakes(PROGRAM_PAPERS),
          },
        } satisfies Step,
      ].map((step: Step): Step => {
        const isNew = { sent: 'reg_wxapp_regflowstatus', is: ['', '1', '2'] }
        return { ...step, when: step.when ? { both: [isNew, step.when] } : isNew }
      }),
    ],
    tells: all({ sv_wxapp_application_id: told('id'), reg_status: told('state', STATE) }),
  },
}

const submitPayment: Call = {
  name: 'RegisterPay',
  also: ['submitPaymentInformation'],
  methods: ['POST'],
  path: '/WechatApply/RegisterPay',
  said: 'D2 §3 Payment application, §5 Payment form, §7 submitPaymentInformation, D3 §7',
  chosen:
    'The shop is that of pay_accountno. Pictures of pay_info_config are paths of uploads (CommonImg, payment); those that are not sent stay. bank_name and branch_number name the bank, which the documents do not ask for',
  envelope: 'values',
  does: {
    steps: [
      {
        operation: 'paymentApplications.find',
        as: 'shop',
        takes: { account: of('pay_accountno', text, always('')) },
      },
      { operation: 'paymentApplications.ofShop', as: 'kept', takes: { merchantId: SHOP } },
      ...paperSteps('pay_info_config', PAY_PAPERS),
      {
        ...docs('pay_info_config.pay', 'accountPermit', 'permitId'),
        when: { both: [{ sent: 'pay_type', is: ['', '0'] }, { given: 'pay_info_config.pay' }] },
        isOptional: true,
      },
      {
        ...docs('pay_info_config.pay', 'bankCard', 'bankCardId'),
        when: { both: [{ sent: 'pay_type', is: ['1'] }, { given: 'pay_info_config.pay' }] },
        isOptional: true,
      },
      {
        operation: 'paymentApplications.submit',
        takes: {
          merchantId: SHOP,
          revision: had('kept.revision'),
          payType: of('pay_type', states({ corporate: 0, private: 1 }), had('kept.payType')),
          phone: of('pay_phoneno', text, had('kept.phone')),
          email: of('pay_email', text, had('kept.email')),
          bankRegion: of('pay_info_add3|pay_info_add2|pay_info_add1', text, had('kept.bankRegion')),
          bankName: of('bank_name', text, had('kept.bankName')),
          bankCode: had('kept.bankCode'),
          branchName: of('pay_info_bank', text, had('kept.branchName')),
          branchNumber: of('branch_number', text, had('kept.branchNumber')),
          ...paperTakes(PAY_PAPERS),
          permitId: had('permitId.id', kept('permitId')),
          bankCardId: had('bankCardId.id', kept('bankCardId')),
        },
      },
    ],
    tells: all({ id: told('id'), pay_info_status: told('state', STATE) }),
  },
}

export const PROGRAMS: readonly Call[] = [
  ...OPEN_API,
  DISPATCHED,
  submitProgram,
  submitPayment,
  {
    name: 'PTGetWxAppApplicationPageListByDistributorId',
    also: ['getAppletApplicationList'],
    methods: BOTH,
    path: at('PTGetWxAppApplicationPageListByDistributorId'),
    said: APPLICATION,
    chosen:
      'type 0 mini programs, 1 payments, 2 the flow of mini programs with its filters; a row has the fields of its kind, the others are null. The flow’s three numbers are made of our one state',
    envelope: 'values',
    does: {
      steps: [
        { operation: 'programApplications.list', when: { sent: 'type', is: ['', '0'] }, takes: SEARCHED },
        { operation: 'paymentApplications.list', when: { sent: 'type', is: ['1'] }, takes: SEARCHED },
        {
          operation: 'programFlow.list',
          when: { sent: 'type', is: ['2'] },
          takes: {
            ...SEARCHED,
            progress: of('progress', PROGRESS),
            programType: of('reg_category', PROGRAM_TYPES),
            agentId: of('distributor_id', wholeOrAll),
          },
        },
      ],
      tells: listed(FOUND_ROW),
    },
  },
  {
    name: 'PTGetWxAppApplicationDetail',
    methods: BOTH,
    path: at('PTGetWxAppApplicationDetail'),
    said: APPLICATION,
    chosen: 'The WeChat number is masked; of pictures the numbers of the papers are told',
    envelope: 'values',
    does: {
      steps: [DETAILS],
      tells: all({
        ...PROGRAM_ROW,
        reg_doc: { json: rows({ name: told('name'), id: told('id') }, 'papers') },
      }),
    },
  },
  {
    name: 'PTApproveWxAppApplication',
    also: ['appletAudit'],
    methods: BOTH,
    path: at('PTApproveWxAppApplication'),
    said: 'D2 §4, §7 appletAudit, D3 §7',
    chosen: 'status 1 approve, 2 reject with the reason where it is sent',
    envelope: 'values',
    does: { steps: decided('programApplications', { reason: REFUSED }), tells: told('state', STATE) },
  },
  {
    name: 'PTApprovePayApplication',
    also: ['paymentApplicationAudit'],
    methods: BOTH,
    path: at('PTApprovePayApplication'),
    said: 'D2 §4, §7 paymentApplicationAudit, D3 §7',
    chosen: 'Whoever acts approves, not a fixed user; status 1 approve, 2 reject',
    envelope: 'values',
    does: {
      steps: decided('paymentApplications', { reasons: { all: { account: REFUSED } } }),
      tells: told('state', STATE),
    },
  },
  {
    name: 'PTApproveWxAppRegSteps',
    methods: BOTH,
    path: at('PTApproveWxAppRegSteps'),
    said: 'D2 §4 Applet flow, §7, D3 §7',
    chosen:
      'step 2 approves what was handed in; 3 and 5 look how the platform has it, which moves it by itself',
    envelope: 'values',
    does: {
      steps: [
        { ...DETAILS, when: { sent: 'step', is: ['2'] } },
        { operation: 'programApplications.approve', when: { sent: 'step', is: ['2'] }, takes: ON_KEPT },
        {
          operation: 'programFlow.look',
          when: { sent: 'step', is: ['3', '5'] },
          takes: { id: APPLICATION_ID },
        },
      ],
      tells: told('state'),
    },
  },
  {
    name: 'PTUpdateWxAppApplicationSubmitStatus',
    methods: BOTH,
    path: at('PTUpdateWxAppApplicationSubmitStatus'),
    said: 'D2 §4 Applet flow, §7, D3 §7',
    chosen:
      'No state is set: 1 verifies the authorization, every other has the platform looked at, whose answer is the state',
    envelope: 'values',
    does: {
      steps: [
        {
          operation: 'programFlow.verify',
          when: { sent: 'status', is: ['1'] },
          takes: { id: APPLICATION_ID },
        },
        {
          operation: 'programVersions.look',
          when: { sent: 'status', is: ['', '0', '2', '9', '10', '11', '12'] },
          takes: { id: APPLICATION_ID },
        },
      ],
      tells: always(true),
    },
  },
  {
    name: 'PTUpdateWxAppApplicationDetailRemark',
    methods: BOTH,
    path: at('PTUpdateWxAppApplicationDetailRemark'),
    said: APPLICATION,
    envelope: 'values',
    does: {
      steps: [
        {
          operation: 'programFlow.setRemark',
          takes: { id: APPLICATION_ID, remark: of('remark|reg_remark', text, always('')) },
        },
      ],
      tells: always(true),
    },
  },
  {
    name: 'PTChangeWxAppApplicationDistributorId',
    methods: BOTH,
    path: at('PTChangeWxAppApplicationDistributorId'),
    said: APPLICATION,
    chosen:
      'An application belongs to the agent of its shop, and goes along when the shop is moved (ChangeDistributor)',
    envelope: 'values',
    does: { none: '小程序申请随店铺归属，请用 ChangeDistributor 调整店铺的服务商' },
  },
  {
    name: 'PTGetChatComponentLogs',
    methods: BOTH,
    path: at('PTGetChatComponentLogs'),
    said: 'D2 §3 Log entry, §7, D3 §7',
    envelope: 'values',
    does: {
      steps: [
        {
          operation: 'programFlow.list',
          as: 'found',
          takes: { search: of('account|reg_accountno|search', text, always('')) },
          notFound: ['rows.0', '没有该账号的小程序'],
        },
        { operation: 'programFlow.details', takes: { id: had('found.rows.0.id') } },
      ],
      tells: all({ dataList: logRows() }),
    },
  },
  {
    name: 'PTGetWxAppApplicationRegEvent',
    methods: BOTH,
    path: at('PTGetWxAppApplicationRegEvent'),
    said: 'D3 §7',
    chosen: 'What the platform has told of one application, by its id',
    envelope: 'values',
    does: {
      steps: [{ operation: 'programFlow.details', takes: { id: APPLICATION_ID } }],
      tells: all({ state: told('state'), message: told('message'), dataList: logRows() }),
    },
  },
  {
    name: 'OptAppDetail',
    methods: BOTH,
    path: at('OptAppDetail'),
    said: 'D2 §4 Delete, §7, D3 §7',
    chosen: 'sv_is_active false deletes (as without it), true restores',
    envelope: 'values',
    does: {
      steps: [
        DETAILS,
        {
          operation: 'programApplications.remove',
          when: { sent: 'sv_is_active', is: ['', 'false', '0'] },
          takes: ON_KEPT,
        },
        {
          operation: 'programApplications.restore',
          when: { sent: 'sv_is_active', is: ['true', '1'] },
          takes: ON_KEPT,
        },
      ],
      tells: told('id'),
    },
  },
  {
    name: 'wxsetprivacysetting',
    methods: BOTH,
    path: at('wxsetprivacysetting'),
    said: 'D2 §7, D3 §7',
    chosen: 'values is 0 once it is handed in',
    envelope: 'values',
    does: {
      steps: [OF_MEMBER, { operation: 'programVersions.declarePrivacy', takes: { id: had('app.id') } }],
      tells: always(0),
    },
  },
  {
    name: 'PTGetAlipayApplicationList',
    also: ['getPaymentInformationList'],
    methods: BOTH,
    path: at('PTGetAlipayApplicationList'),
    said: 'D2 §3 WeChat-pay application, §7 getPaymentInformationList, D3 §7',
    envelope: 'values',
    does: {
      steps: [{ operation: 'paymentApplications.reviews', takes: SEARCHED }],
      tells: listed({
        sv_alipayinfo_id: told('id'),
        user_id: told('merchantId'),
        sv_merchant_name: told('shopName'),
        sv_phone: told('phone'),
        sv_payment_account: told('account'),
        sv_bank_account: told('branchName'),
        sv_add_date: told('submittedAt', instant),
        sv_state: told('reviewState', states({ waiting: 0, accepting: 1, accepted: 2, rejected: 3 })),
        sv_approval_remarks: told('reviewNote'),
      }),
    },
  },
  {
    name: 'PTOpAlipayApplication',
    also: ['paymentInformationAudit'],
    methods: BOTH,
    path: at('PTOpAlipayApplication'),
    said: 'D2 §4 WeChat-pay review, §7 paymentInformationAudit, D3 §7',
    envelope: 'values',
    does: {
      steps: [
        {
          operation: 'paymentApplications.details',
          as: 'kept',
          takes: { id: of('sv_alipayinfo_id|id', whole) },
        },
        {
          operation: 'paymentApplications.review',
          takes: {
            id: of('sv_alipayinfo_id|id', whole),
            revision: had('kept.revision'),
            reviewState: of('sv_state|state', states({ waiting: 0, accepting: 1, accepted: 2, rejected: 3 })),
            reviewNote: of('sv_approval_remarks|remarks', text, always('')),
          },
        },
      ],
      tells: told('id'),
    },
  },
  {
    name: 'downloadInformation',
    also: ['BatchDownload'],
    methods: BOTH,
    path: at('downloadInformation'),
    said: 'D2 §7 downloadInformation, D3 §7 “batch download on a resource host”',
    chosen:
      'values is the address of the file on this host, with the client’s key; type 1: of a payment application. urls and name choose nothing: all papers are in it',
    envelope: 'values',
    does: {
      steps: [],
      tells: { opens: at('downloadInformationFile') },
    },
  },
  {
    name: 'downloadInformationFile',
    methods: ['GET'],
    path: at('downloadInformationFile'),
    said: '—',
    chosen:
      'What downloadInformation leads to. A person proves themselves before papers are taken along, which no program can: refused in words',
    envelope: 'values',
    does: {
      file: 'programApplications.zip',
      takes: { id: APPLICATION_ID },
      others: [{ when: { sent: 'type', is: ['1'] }, file: 'onboardings.zip' }],
    },
  },
]

function logRows(): Told {
  return rows(
    {
      sv_creation_date: told('at', instant),
      apiname: told('title'),
      infotype: told(
        'isTrouble',
        payload(
          'error or info',
          v => v,
          isTrouble => (isTrouble ? 'error' : 'info'),
        ),
      ),
      resdata: told('code'),
      remark: told('words'),
    },
    'answers',
  )
}
