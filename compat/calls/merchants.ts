// Shops: listed, looked at, added, changed, switched, and entered anew.
import { all, always, BOTH, type Call, had, listed, named, of, rows, type Takes, told } from '../call.ts'
import {
  ENABLED,
  IS_STORE,
  MERCHANT,
  MERCHANT_FILTERS,
  MERCHANT_ROW,
  SEARCHED,
  SHOP_ID,
  VERIFIED,
} from '../names.ts'
import {
  amount,
  factor,
  flag,
  instant,
  instantOrNull,
  jsonOf,
  payload,
  several,
  states,
  text,
  whole,
  wholeOrNull,
} from '../units.ts'

const GIVEN_ID = { given: 'user_id' } as const
const NO_ID = { missing: 'user_id' } as const

const config = payload(
  'JSON object',
  sent => (sent === '' ? {} : jsonOf(sent)),
  answered => answered,
)

/** D1 §9: term choice 3 is a year, 5 for life; 1 by the month, as D2 §9 sells it. */
const TERM = states({ month: 1, year: 3, lifetime: 5 })

/** What is not sent stays as it is. */
const KEPT: Takes = {
  revision: had('shop.revision'),
  storeKind: of('isStore', IS_STORE, had('shop.storeKind')),
  shortName: of('sv_us_shortname', text, had('shop.shortName')),
  shopName: of('sv_us_name', text, had('shop.shopName')),
  personName: of('sv_ul_name', text, had('shop.personName')),
  account: of('sv_ul_mobile', text, had('shop.account')),
  shopPhone: of('sv_us_phone', text, had('shop.shopPhone')),
  districtCode: of('sv_us_district', text, had('shop.districtCode')),
  address: of('sv_us_address', text, had('shop.address')),
  versionId: of('sv_versionid', whole, had('shop.versionId')),
  registeredAt: of('sv_ul_regdate', instant, had('shop.registeredAt')),
  expiresAt: of('sv_versionexpiration', instantOrNull, had('shop.expiresAt')),
  referrer: of('sv_us_reference', text, had('shop.referrer')),
  remark: of('sv_staff_remarks', text, had('shop.remark')),
  verificationStatus: of('sv_status', VERIFIED, had('shop.verificationStatus')),
  verificationRefusal: of('sv_refusereason', text, had('shop.verificationRefusal')),
  industryId: of('sv_us_industrytype', wholeOrNull, had('shop.industryId')),
  managerId: of('sv_openshop_person', wholeOrNull, had('shop.managerId')),
  paymentMethodId: of('dec_payment_method', wholeOrNull, had('shop.paymentMethodId')),
  password: of('sv_ul_loginpwd', text, always('')),
  paymentConfig: of('dec_payment_config', config, had('shop.paymentConfig')),
}

const NEW: Takes = {
  versionId: of('sv_versionid', whole),
  term: of('term', TERM, always('year')),
  periods: of('order_count', whole, always(1)),
  shops: of('buyshopnumber|ShopNumber', whole, always(1)),
  branches: of('branch_count', whole, always(0)),
  shortName: of('sv_us_shortname', text, always('')),
  shopName: of('sv_us_name', text, always('')),
  personName: of('sv_ul_name', text, always('')),
  account: of('sv_ul_mobile', text, always('')),
  districtCode: of('sv_us_district', text, always('')),
  address: of('sv_us_address', text, always('')),
  referrer: of('sv_us_reference', text, always('')),
  remark: of('sv_staff_remarks', text, always('')),
  industryId: of('sv_us_industrytype', wholeOrNull, always(null)),
  managerId: of('sv_openshop_person', wholeOrNull, always(null)),
  paymentMethodId: of('dec_payment_method', wholeOrNull, always(null)),
  password: of('sv_ul_loginpwd', text, always('')),
  smsCount: of('sv_SmsNumber', whole, always(0)),
  paymentConfig: of('dec_payment_config', config, always({})),
}

const VERSION = {
  sv_versionid: told('id'),
  gid: told('packageId'),
  sv_version_code: told('code'),
  sv_versionname: told('name'),
  sv_version_type: told('kind'),
  sv_versionsaleprice: told('priceYearCents', amount),
  month_price: told('priceMonthCents', amount),
  sv_versionorigprice: told('priceLifetimeCents', amount),
  is_version_pack: told('isPack'),
  sv_remarks: told('remark'),
  package_remarks: told('remark'),
} as const

export const MERCHANTS: readonly Call[] = [
  {
    name: 'PTGetUserList',
    also: ['getBusinesslistings'],
    methods: BOTH,
    path: named('PTGetUserList'),
    said: 'D1 §2, §7, D2 §7 getBusinesslistings, D3 §7',
    chosen:
      'nearexpiration, multipletype, sv_versionname and sub_distributor_id filter nothing here: exp_sdate, storetype, sv_versionid and PTGetStorelist do',
    envelope: 'values',
    does: { steps: [{ operation: 'merchants.list', takes: MERCHANT_FILTERS }], tells: listed(MERCHANT_ROW) },
  },
  {
    name: 'PTGetUserList_excle',
    also: ['expertPTUserList'],
    methods: BOTH,
    path: named('PTGetUserList_excle'),
    said: 'D1 §7, D3 §7',
    chosen: 'The file itself is answered',
    envelope: 'values',
    does: { file: 'merchants.list', takes: without(MERCHANT_FILTERS, 'page', 'size') },
  },
  {
    name: 'PTGetUserDetail',
    also: ['getMerchantDetails'],
    methods: BOTH,
    path: named('PTGetUserDetail'),
    said: 'D1 §3, §7, D2 §3, D3 §7',
    chosen: 'The password is not read; secrets of dec_payment_config are left out',
    envelope: 'values',
    does: { steps: [{ operation: 'merchants.details', takes: { id: SHOP_ID } }], tells: all(MERCHANT) },
  },
  {
    name: 'PTSaveOrder',
    also: ['SaveTheChanges'],
    methods: BOTH,
    path: named('PTSaveOrder'),
    said: 'D1 §3 New merchant payload, §7 SaveTheChanges, D2 §5, §7, D3 §7',
    chosen:
      'With user_id a shop is changed, and what is not sent stays; without, one is added at the price of the moment, whose order is answered. With sv_do_price it is added only if that is the price',
    envelope: 'values',
    does: {
      steps: [
        { operation: 'merchants.details', when: GIVEN_ID, as: 'shop', takes: { id: SHOP_ID } },
        { operation: 'merchants.edit', when: GIVEN_ID, takes: { ...KEPT, id: SHOP_ID } },
        { operation: 'selling.quote', when: NO_ID, as: 'quote', takes: NEW },
        {
          operation: 'selling.add',
          when: NO_ID,
          sameAs: [of('sv_do_price', amount), had('quote.totalCents')],
          takes: { orderNo: had('quote.orderNo') },
        },
      ],
      tells: all({
        user_id: told('id'),
        ordercode: told('orderNo'),
        sv_do_price: told('totalCents', amount),
      }),
    },
  },
  {
    name: 'PTProhibit',
    also: ['disableTheStore'],
    methods: BOTH,
    path: named('PTProhibit'),
    said: 'D1 §7, D2 §7, D3 §7',
    envelope: 'values',
    does: {
      steps: [{ operation: 'merchants.disable', takes: { id: SHOP_ID } }],
      tells: told('status', ENABLED),
    },
  },
  {
    name: 'PTEnable',
    also: ['enableTheStore'],
    methods: BOTH,
    path: named('PTEnable'),
    said: 'D1 §7, D2 §7, D3 §7',
    envelope: 'values',
    does: {
      steps: [{ operation: 'merchants.enable', takes: { id: SHOP_ID } }],
      tells: told('status', ENABLED),
    },
  },
  {
    name: 'PTOperate',
    methods: BOTH,
    path: named('PTOperate'),
    said: 'D3 §7',
    chosen:
      'The documents name it alone; taken for the remark of a shop that its list edits in place (D1 §2)',
    envelope: 'values',
    does: {
      steps: [
        {
          operation: 'merchants.setRemark',
          takes: { id: SHOP_ID, remark: of('sv_staff_remarks|remark', text, always('')) },
        },
      ],
      tells: told('remark'),
    },
  },
  {
    name: 'PTGetStorelist',
    also: ['obtainChainStoreBranches'],
    methods: BOTH,
    path: named('PTGetStorelist'),
    said: 'D2 §7, D3 §7',
    envelope: 'values',
    does: {
      steps: [{ operation: 'purchases.branches', takes: { ...SEARCHED, merchantId: SHOP_ID } }],
      tells: rows({
        user_id: told('id'),
        sv_us_name: told('shopName'),
        sv_ul_mobile: told('account'),
        sv_ul_status: told('status', ENABLED),
        sv_versionexpiration: told('expiresAt', instant),
      }),
    },
  },
  {
    name: 'getManagerData',
    methods: BOTH,
    path: named('getManagerData'),
    said: 'D1 §7, D3 §7 Demand tracker',
    envelope: 'values',
    does: {
      steps: [{ operation: 'merchants.options' }],
      tells: all({
        dataList: rows({ sv_d_user_id: told('id'), sv_d_user_name: told('name') }, 'managers'),
      }),
    },
  },
  {
    name: 'PTGetIndustryType',
    also: ['getIndustryData'],
    methods: ['GET', 'POST'],
    path: named('PTGetIndustryType'),
    said: 'D1 §7, D2 §7, D3 §7',
    chosen: 'The same for every version_name',
    envelope: 'values',
    does: {
      steps: [{ operation: 'merchants.options' }],
      tells: rows({ industrytype_id: told('id'), sv_uit_name: told('name') }, 'industries'),
    },
  },
  {
    name: 'PTGteStoreVersion',
    also: ['accordingToIdGetVersion', 'accordingToVersionTypeGetVersion'],
    methods: BOTH,
    path: named('PTGteStoreVersion'),
    said: 'D1 §7, D2 §3 Version, §7, D3 §7',
    chosen:
      'Every version that one may sell, with the discount of the company; with user_id those for that shop by PTPackageVersion_newV2; ids and type choose nothing',
    envelope: 'values',
    does: {
      steps: [{ operation: 'versions.list' }],
      tells: all({ dataList: rows(VERSION), discount: always(null) }),
    },
  },
  {
    name: 'PTPackageVersion_newV2',
    also: ['versionUpgradeRenewal'],
    methods: BOTH,
    path: named('PTPackageVersion_newV2'),
    said: 'D2 §3 Version order, §4 Purchase flow, §7 versionUpgradeRenewal, §9 IsAddShop, D3 §7',
    chosen:
      'Without ordercode a quote is answered with result 1; with it the quote is bought. IsAddShop says what for: 2 branches more, 3 head and branches, 0 some branches (branch_ids), else the shop itself. Too little balance is refused in words',
    envelope: 'values',
    does: {
      steps: [
        {
          operation: 'purchases.quote',
          when: { missing: 'ordercode' },
          takes: {
            merchantId: SHOP_ID,
            versionId: of('sv_salesversionid|order.sv_salesversionid|sv_versionid', whole),
            scope: of(
              'IsAddShop|order.IsAddShop',
              states({ branches: 0, head: 1, addBranches: 2, all: 3 }),
              always('head'),
            ),
            branchIds: of('branch_ids|order.branch_ids', several(whole), always([])),
            term: of(
              'sv_versionunit|order.sv_versionunit',
              states({ year: '年', month: '月', lifetime: '个店' }),
              always('year'),
            ),
            periods: of('order_count|order.order_count', whole, always(1)),
            shops: of('ShopNumber|order.ShopNumber', whole, always(1)),
            remark: of('sv_distributororder_remark|order.sv_distributororder_remark', text, always('')),
          },
        },
        {
          operation: 'purchases.confirm',
          when: { given: 'ordercode' },
          takes: { orderNo: of('ordercode') },
        },
      ],
      tells: all({
        result: always(1),
        ordercode: told('orderNo'),
        sv_do_price: told('totalCents', amount),
        sv_do_originalprice: told('originalCents', amount),
        discount: told('discountBasisPoints', factor),
        sv_versionexpiration: told('effects.0.expiresAfter', instant),
      }),
    },
  },
  {
    name: 'postMerchantId',
    also: ['postMerchantIdV2'],
    methods: BOTH,
    path: named('postMerchantId'),
    said: 'D1 §7, D2 §5 Phone-change dialog, D3 §7',
    envelope: 'values',
    does: {
      steps: [
        {
          operation: 'shopAccess.changePhone',
          takes: {
            id: SHOP_ID,
            phone: of('sv_ul_mobile|phone', text, always('')),
            code: of('code|sms_code', text, always('')),
          },
        },
      ],
      tells: told('account'),
    },
  },
  {
    name: 'ResetMerchantPassword',
    also: ['ResetMerchantPasswordV2', 'resetMerchantPasswordV2'],
    methods: BOTH,
    path: named('ResetMerchantPassword'),
    said: 'D1 §7, D3 §7',
    chosen: 'The person is told by SMS only where notify says so',
    envelope: 'values',
    does: {
      steps: [
        {
          operation: 'shopAccess.resetPassword',
          takes: {
            id: SHOP_ID,
            password: of('sv_ul_loginpwd|password|pwd', text, always('')),
            notify: of('notify', flag, always(false)),
          },
        },
      ],
      tells: always(true),
    },
  },
  {
    name: 'PostMsreg',
    also: ['postMsreg', 'PostMsregSignature'],
    methods: BOTH,
    path: named('PostMsreg'),
    said: 'D1 §7, D3 §7',
    chosen:
      'A code to the phone of a shop; PostMsregSignature asks for that of its signature. A person solves a puzzle before a code is sent, which no program does: refused in words',
    envelope: 'values',
    does: {
      steps: [
        {
          operation: 'messages.sendCode',
          takes: {
            merchantId: SHOP_ID,
            purpose: of('type', states({ phone: 0, recovery: 1, identity: 2 }), always('phone')),
            phone: of('phone|sv_phone|sv_ul_mobile'),
          },
        },
      ],
      tells: all({ phone: told('phone'), seconds: told('secondsLeft') }),
    },
  },
  {
    name: 'GetSmsRecoveryCode',
    also: ['getSmsRecoveryCode'],
    methods: BOTH,
    path: named('GetSmsRecoveryCode'),
    said: 'D1 §7, D3 §7',
    chosen: 'As PostMsreg: refused in words',
    envelope: 'values',
    does: {
      steps: [
        {
          operation: 'messages.sendCode',
          takes: { merchantId: SHOP_ID, purpose: always('recovery'), phone: of('phone') },
        },
      ],
      tells: all({ phone: told('phone'), seconds: told('secondsLeft') }),
    },
  },
  {
    name: 'PTGetDistributorList',
    also: ['getService'],
    methods: BOTH,
    path: named('PTGetDistributorList'),
    said: 'D2 §3 Distributor option, §7, D3 §7',
    envelope: 'values',
    does: {
      steps: [{ operation: 'aftersales.providers', takes: { search: of('search|name', text, always('')) } }],
      tells: rows({ distributor_id: told('id'), sv_d_companyname: told('companyName') }),
    },
  },
]

function without(takes: Takes, ...names: string[]): Takes {
  return Object.fromEntries(Object.entries(takes).filter(([name]) => !names.includes(name)))
}
