// After-sales tools and adjustments of the vendor's staff, and shops that are brought in to acquirers.
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
  type Takes,
  told,
} from '../call.ts'
import { IS_STORE, SEARCHED, SHOP_ID } from '../names.ts'
import { flag, instant, payload, states, text, whole, wholeOrAll } from '../units.ts'
import { paper } from './sms.ts'

const FOUND = {
  user_id: told('shop.id'),
  distributor_id: told('shop.agentId'),
  sv_d_name: told('shop.agentName'),
  sv_us_name: told('shop.shopName'),
  sv_ul_name: told('shop.personName'),
  sv_ul_mobile: told('shop.account'),
  isStore: told('shop.storeKind', IS_STORE),
  sv_versionid: told('shop.versionId'),
  sv_versionname: told('shop.versionName'),
  sv_versionexpiration: told('shop.expiresAt', instant),
  sv_ul_regdate: told('shop.registeredAt', instant),
} as const

const SOUGHT_SHOP = of('user_id|uid|account|acountno|search|criteria', text, always(''))
const find = (operation: string): Step => ({
  operation,
  as: 'found',
  takes: { search: SOUGHT_SHOP },
  notFound: ['shop', '请输入正确的ID/账号'],
})
const ON_FOUND = { id: had('found.shop.id'), revision: had('found.shop.revision') } as const
const REASON = of('reason|desc', text, always('旧接口操作'))

const SALES_TOOL = 'D3 §7 After-sales tools'
const tool = (name: string) => `/api/After_sales_tools/${name}`
const NO_FIELDS = 'The documents name no fields of the answer: ours are those of a shop'

const IMPORT = 'D3 §3 Merchant import record, §7 After-sales tools and merchant import'
const dealer = (name: string) => `/api/DealerMerchant/${name}`
const ONBOARDING = of('id|Id|import_id', whole)
const APPROVAL = states({ draft: 0, pending: 3, approved: 1, rejected: 2 }, ['', -1])
const CHANNEL_STATE = states({ waiting: 0, sent: 1, opened: 2, refused: 3 }, ['', -1])
const SHOP_STATE = states({ normal: 1, frozen: 2, closed: 3 }, ['', -1])
const CHANNEL = states({ tianque: 'TianQue', xl: 'XL', lianfu: 'Lianfutech' }, [''])
const NO_NUMBERS = 'The numbers of the states are ours: the documents show none'

const DETAILS: Step = { operation: 'acquirerOnboardings.details', as: 'one', takes: { id: ONBOARDING } }
const ON_ONE = { id: ONBOARDING, revision: had('one.revision') } as const
const onOne = (operation: string, more: Takes = {}): readonly Step[] => [
  DETAILS,
  { operation, takes: { ...ON_ONE, ...more } },
]
const REASONS = { all: { other: of('reason|remark|sv_refuseReason', text, always('不符合要求')) } } as const

const ROW = {
  id: told('id'),
  user_id: told('merchantId'),
  sv_us_name: told('shopName'),
  sv_ul_mobile: told('account'),
  channel: told('channel', CHANNEL),
  approval_status: told('approvalState', APPROVAL),
  status: told('state', CHANNEL_STATE),
  merchant_status: told('merchantStatus', SHOP_STATE),
  is_active: told('isActive'),
  code: told('code'),
  remark: told('remark'),
  distributor_id: told('agentId'),
  sv_d_companyname: told('agentName'),
  sv_creation_date: told('createdAt', instant),
} as const

const change = (
  name: string,
  steps: readonly Step[],
  chosen: string,
  methods: Call['methods'] = ['POST'],
): Call => ({
  name,
  methods,
  path: dealer(name),
  said: IMPORT,
  chosen,
  envelope: 'values',
  does: { steps, tells: told('id') },
})

const handOver = onOne('acquirerOnboardings.handOver', {
  secret: of('signKey|secret|key_secret', text, always('')),
})

type Reading = readonly { name: string; value: string }[]
/** One of what was read on a paper. */
const read = (name: string) =>
  told(
    'fields',
    payload(
      'what was read',
      sent => sent,
      fields => (fields as Reading | null)?.find(one => one.name === name)?.value ?? '',
    ),
  )

const reading = (name: string, kind: string, tells: Call['does']): Call => ({
  name,
  methods: BOTH,
  path: dealer(name),
  said: 'D1 §7, D2 §7 (reg_num, enterprise_name, legal_representative; name, id), D3 §7',
  chosen: `On this host. img_url is the path of an upload (CommonImg, payment) and user_id the shop whose paper it is, which is kept with it as ${kind}`,
  envelope: 'values',
  does: tells,
})
const reads = (kind: string): readonly Step[] => [
  paper('img_url', kind, 'kept'),
  { operation: 'verification.read', takes: { documentId: had('kept.id') } },
]

export const TOOLS: readonly Call[] = [
  {
    name: 'GetGroupingInfo',
    methods: ['GET'],
    path: tool('GetGroupingInfo'),
    said: SALES_TOOL,
    chosen: NO_FIELDS,
    envelope: 'values',
    does: {
      steps: [find('aftersales.chainFind')],
      tells: all({
        ...FOUND,
        head_user_id: told('head.id'),
        dataList: rows(
          { user_id: told('id'), sv_us_name: told('shopName'), sv_ul_mobile: told('account') },
          'branches',
        ),
      }),
    },
  },
  {
    name: 'relation_store',
    methods: ['GET'],
    path: tool('relation_store'),
    said: SALES_TOOL,
    chosen: 'user_id is the branch, head_id (or store_id) its head; the reason is desc where it is sent',
    envelope: 'values',
    does: {
      steps: [
        find('aftersales.chainFind'),
        {
          operation: 'aftersales.associate',
          takes: { ...ON_FOUND, headId: of('head_id|store_id|puser_id', whole), reason: REASON },
        },
      ],
      tells: told('id'),
    },
  },
  {
    name: 'cancel_store',
    methods: ['GET'],
    path: tool('cancel_store'),
    said: SALES_TOOL,
    envelope: 'values',
    does: {
      steps: [
        find('aftersales.chainFind'),
        { operation: 'aftersales.dissolve', takes: { ...ON_FOUND, reason: REASON } },
      ],
      tells: told('id'),
    },
  },
  {
    name: 'GetUserinfoByUser_id',
    methods: ['GET'],
    path: tool('GetUserinfoByUser_id'),
    said: SALES_TOOL,
    chosen: NO_FIELDS,
    envelope: 'values',
    does: { steps: [find('aftersales.extendFind')], tells: all(FOUND) },
  },
  {
    name: 'OrderRecove',
    methods: ['GET'],
    path: tool('OrderRecove'),
    said: SALES_TOOL,
    chosen: 'Staff prove themselves before they take an order back, which no program can: refused in words',
    envelope: 'values',
    does: {
      steps: [
        {
          operation: 'aftersales.cancel',
          takes: { orderNo: of('order_id', text, always('')), reason: REASON },
        },
      ],
      tells: told('state'),
    },
  },
  {
    name: 'FreeAdmissionUpdateUserYears',
    methods: ['POST'],
    path: tool('FreeAdmissionUpdateUserYears'),
    said: SALES_TOOL,
    envelope: 'values',
    does: {
      steps: [
        find('aftersales.extendFind'),
        { operation: 'aftersales.extend', takes: { ...ON_FOUND, days: of('day', whole), reason: REASON } },
      ],
      tells: told('expiresAt', instant),
    },
  },
  {
    name: 'ClearTable',
    methods: ['POST'],
    path: tool('ClearTable'),
    said: SALES_TOOL,
    chosen: 'Staff prove themselves before a table is emptied, which no program can: refused in words',
    envelope: 'values',
    does: {
      steps: [
        {
          operation: 'tableClearing.ask',
          takes: {
            merchantId: SHOP_ID,
            table: of('table', text, always('')),
            tableName: of('tableName|table', text, always('')),
            rows: of('rows', whole, always(0)),
            shopName: of('sv_us_name', text, always('')),
            reason: REASON,
          },
        },
      ],
      tells: told('state'),
    },
  },
  {
    name: 'GetUserShopByacountno',
    also: ['FindMerchantsByAccount'],
    methods: BOTH,
    path: at('GetUserShopByacountno'),
    said: 'D2 §7 FindMerchantsByAccount, D3 §7',
    envelope: 'values',
    does: { steps: [find('aftersales.providerFind')], tells: all(FOUND) },
  },
  {
    name: 'ChangeDistributor',
    also: ['adjustmentService'],
    methods: BOTH,
    path: at('ChangeDistributor'),
    said: 'D2 §7 adjustmentService, D3 §7',
    chosen: 'The old distributor is that which the shop has',
    envelope: 'values',
    does: {
      steps: [
        find('aftersales.providerFind'),
        {
          operation: 'aftersales.move',
          takes: {
            ...ON_FOUND,
            agentId: of('new_distributor_id|newdistributor_id|distributor_id', whole),
            reason: REASON,
          },
        },
      ],
      tells: always('调整成功'),
    },
  },
  {
    name: 'PTGetStoreVersion',
    also: ['findMerchantByVersion'],
    methods: BOTH,
    path: at('PTGetStoreVersion'),
    said: 'D2 §7 findMerchantByVersion, D3 §7',
    chosen: 'With the versions that it may be moved to in place of versionid 3',
    envelope: 'values',
    does: {
      steps: [find('aftersales.versionFind')],
      tells: all({
        ...FOUND,
        versions: rows({ sv_versionid: told('id'), sv_versionname: told('name') }, 'targets'),
      }),
    },
  },
  {
    name: 'PTUpdateStoreVersion',
    also: ['versionToAdjust'],
    methods: BOTH,
    path: at('PTUpdateStoreVersion'),
    said: 'D2 §7 versionToAdjust, D3 §7',
    chosen: 'orgVersionid is the version that the shop has',
    envelope: 'values',
    does: {
      steps: [
        find('aftersales.versionFind'),
        {
          operation: 'aftersales.adjustVersion',
          takes: { ...ON_FOUND, versionId: of('newVersionid', whole), reason: REASON },
        },
      ],
      tells: always('调整成功'),
    },
  },
  {
    name: 'GetMerchantImportList',
    methods: ['GET'],
    path: dealer('GetMerchantImportList'),
    said: IMPORT,
    chosen: NO_NUMBERS,
    envelope: 'values',
    does: {
      steps: [
        {
          operation: 'acquirerOnboardings.list',
          takes: {
            ...SEARCHED,
            approvalState: of('approval_status', APPROVAL),
            state: of('status', CHANNEL_STATE),
            channel: of('channel', CHANNEL),
            agentId: of('distributor_id', wholeOrAll),
          },
        },
      ],
      tells: listed(ROW),
    },
  },
  {
    name: 'MerchantStatistics',
    methods: ['GET'],
    path: dealer('MerchantStatistics'),
    said: IMPORT,
    envelope: 'values',
    does: {
      steps: [{ operation: 'acquirerOnboardings.list', takes: { size: always(10) } }],
      tells: all({
        total: told('total'),
        draft: told('counts.draft'),
        pending: told('counts.pending'),
        approved: told('counts.approved'),
        rejected: told('counts.rejected'),
        waiting: told('counts.waiting'),
        sent: told('counts.sent'),
        opened: told('counts.opened'),
        refused: told('counts.refused'),
      }),
    },
  },
  {
    name: 'GetMerchantImport',
    methods: ['GET'],
    path: dealer('GetMerchantImport'),
    said: IMPORT,
    chosen: NO_NUMBERS,
    envelope: 'values',
    does: {
      steps: [DETAILS],
      tells: all({
        ...ROW,
        short_name: told('shortName'),
        contact_name: told('contactName'),
        contact_phone: told('contactPhone'),
        email: told('email'),
        account_name: told('accountName'),
        account_number: told('accountNumberMasked'),
        rate: told('rate'),
      }),
    },
  },
  change(
    'UpdateStatus',
    [
      DETAILS,
      { operation: 'acquirerOnboardings.send', when: { sent: 'status', is: ['1'] }, takes: ON_ONE },
      {
        operation: 'acquirerOnboardings.refuse',
        when: { sent: 'status', is: ['3'] },
        takes: { ...ON_ONE, reasons: REASONS },
      },
      {
        operation: 'acquirerOnboardings.setCode',
        when: { sent: 'status', is: ['2'] },
        takes: { ...ON_ONE, code: of('code', text, always('')) },
      },
    ],
    '1 handed in to the acquirer, 2 opened (with its code), 3 refused by it',
  ),
  change(
    'UpdateApprovalStatus',
    [
      DETAILS,
      {
        operation: 'acquirerOnboardings.approve',
        when: { sent: 'approval_status', is: ['1'] },
        takes: ON_ONE,
      },
      {
        operation: 'acquirerOnboardings.reject',
        when: { sent: 'approval_status', is: ['2'] },
        takes: { ...ON_ONE, reasons: REASONS },
      },
    ],
    '1 approve, 2 reject',
  ),
  change(
    'UpdateCode',
    onOne('acquirerOnboardings.setCode', { code: of('code', text, always('')) }),
    'The code is the acquirer’s merchant number',
  ),
  change(
    'DPayConfig_XL',
    handOver,
    'Hands the configuration over to the shop; the channel is that of the onboarding',
  ),
  change(
    'DPayConfig_TianQue',
    handOver,
    'Hands the configuration over to the shop; the channel is that of the onboarding',
  ),
  change(
    'UpdateMerchantLianfutech',
    handOver,
    'Hands the configuration over to the shop; the channel is that of the onboarding',
    ['GET'],
  ),
  change(
    'UpdateMerchantImportActive',
    onOne('acquirerOnboardings.setActive', { isActive: of('is_active|active', flag) }),
    'is_active says which',
    ['GET'],
  ),
  change(
    'UpdateMerchantRemark',
    onOne('acquirerOnboardings.setRemark', { remark: of('remark', text, always('')) }),
    'remark says what',
    ['GET'],
  ),
  change(
    'UpdateMerchantStatus',
    onOne('acquirerOnboardings.setMerchantStatus', {
      merchantStatus: of('status|merchant_status', SHOP_STATE),
    }),
    NO_NUMBERS,
    ['GET'],
  ),
  change(
    'MerchantInfoQuery',
    [{ operation: 'acquirerOnboardings.ask', takes: { id: ONBOARDING } }],
    'Asks the acquirer anew; what it says is read by GetMerchantImport',
    ['GET'],
  ),
  reading('businessLicense', 'businessLicence', {
    steps: reads('businessLicence'),
    tells: all({
      reg_num: read('creditCode'),
      enterprise_name: read('company'),
      legal_representative: read('legalPerson'),
    }),
  }),
  reading('idcard', 'idCardFront', {
    steps: reads('idCardFront'),
    tells: all({ name: read('personInCharge'), id: read('idNumber') }),
  }),
]
