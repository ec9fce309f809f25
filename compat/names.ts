// The documents' names of what many calls have: pages of a list, a shop, an order, an approval. docs/GLOSSARY.md has each with ours.
import { of, type Takes, type Told, told } from './call.ts'
import { amount, day, filterText, instant, named, pageSize, states, whole } from './units.ts'

export const PAGE: Takes = {
  page: of('page|pageIndex|Page|pageindex', whole),
  size: of('pagesize|pageSize|PageSize|size', pageSize),
}

export const SOUGHT = of('search|searchStr|name|keywards|keyword|Query', filterText)
/** The lists of the documents, with what is sought in them. */
export const SEARCHED: Takes = { ...PAGE, search: SOUGHT }

export const ENABLED = states({ normal: 0, disabled: -1 }, [-2])
export const VERIFIED = states({ verified: 1, unverified: 2, failed: 3, reviewing: 4 })
export const PAY_METHODS = {
  alipay: '支付宝',
  wechat: '微信支付',
  balance: '余额',
  interface: '接口订单',
  gift: '免费赠送',
}
/** The documents number none of them: the numbers are those of geEnumMealpayment. */
export const PAY_METHOD = states({ alipay: 1, wechat: 2, balance: 3, interface: 4, gift: 5 }, [-1, 0])
export const SALES = states({ new: 0, renew: 1, upgrade: 2 }, [-1])
export const SALES_NAMES = { new: '新增', renew: '续费', upgrade: '升级' }
/** A chain's head is a shop of its own to the documents: `isStore` says that it is one. */
export const IS_STORE = {
  words: 'true: head store',
  read: (sent: unknown) => {
    const said = String(sent)
    return said === 'true' || said === '1' ? 'head' : said === 'false' || said === '0' ? 'branch' : sent
  },
  write: (answered: unknown) => answered === 'head',
}

export const SHOP_ID = of('user_id|userid|targetShopId|uid', whole)

export const MERCHANT_ROW: Readonly<Record<string, Told>> = {
  user_id: told('id'),
  distributor_id: told('agentId'),
  sv_d_companyname: told('agentName'),
  isStore: told('storeKind', IS_STORE),
  sv_us_shortname: told('shortName'),
  sv_us_name: told('shopName'),
  sv_ul_name: told('personName'),
  sv_ul_mobile: told('account'),
  sv_uit_name: told('industryName'),
  sv_versionid: told('versionId'),
  sv_versionname: told('versionName'),
  buyshopnumber: told('shopsBought'),
  sv_ul_status: told('status', ENABLED),
  sv_ul_regdate: told('registeredAt', instant),
  sv_versionexpiration: told('expiresAt', instant),
  msgcount: told('smsBalance'),
  sv_uc_sysmessageno: told('smsBalance'),
  sv_ul_lastlogintime: told('lastLoginAt', instant),
  sv_us_reference: told('referrer'),
  sv_openshop_person: told('managerName'),
  sv_staff_remarks: told('remark'),
  sv_us_signature: told('signature'),
  sv_status: told('verificationStatus', VERIFIED),
  sv_refusereason: told('verificationRefusal'),
}

export const MERCHANT: Readonly<Record<string, Told>> = {
  ...MERCHANT_ROW,
  sv_us_phone: told('shopPhone'),
  sv_us_province: told('provinceCode'),
  sv_us_city: told('cityCode'),
  sv_us_district: told('districtCode'),
  sv_us_address: told('address'),
  sv_us_industrytype: told('industryId'),
  sv_content: told('memberTitle'),
  dec_payment_method: told('paymentMethodId'),
  dec_payment_config: { json: told('paymentConfig') },
  sv_distributor_pay_enable: told('payEnabled'),
  is_SmsRecoveryCode: told('needsRecoveryCode'),
}

export const MERCHANT_FILTERS: Takes = {
  ...SEARCHED,
  registeredFrom: of('nreg_sdate|filter.nreg_sdate', day),
  registeredTo: of('nreg_edate|filter.nreg_edate', day),
  expiresFrom: of('exp_sdate|filter.exp_sdate', day),
  expiresTo: of('exp_edate|filter.exp_edate', day),
  status: of('status|filter.status', ENABLED),
  industryId: of('industryType|filter.industryType', orAll()),
  versionId: of('sv_versionid|filter.sv_versionid', orAll()),
  paymentMethodId: of('dec_payment_method|filter.dec_payment_method', orAll()),
  lastLoginDays: of('lastloginday|filter.lastloginday', lastLogin()),
  smsLeft: of('MsgNo|filter.MsgNo', orAll()),
  regionCode: of('code|filter.code', orAll()),
  source: of(
    'platform|filter.platform',
    states({ backOffice: 'pc', mobileWebsite: 'mobile', app: 'app', import: 'import' }, ['', -1]),
  ),
  storeKind: of('storetype|filter.storetype', states({ head: 1, branch: 2 }, ['', -1, 0])),
}

function orAll() {
  return {
    words: 'whole number; empty, 0, -1 or -2: all',
    read: (sent: unknown) => (/^(0|-1|-2)?$/.test(String(sent)) ? undefined : whole.read(sent)),
    write: (answered: unknown) => answered,
  }
}

/** D1 §9 has a day more than D2 §9 of the same periods. */
function lastLogin() {
  const steps = new Map([
    [0, 0],
    [1, 1],
    [2, 1],
    [3, 3],
    [4, 3],
    [7, 7],
    [8, 7],
    [30, 30],
    [31, 30],
    [90, 90],
    [91, 90],
    [365, 365],
    [366, 365],
  ])
  return {
    words: '-1 all; 0, 1, 3, 7, 30, 90, 365 days, or as D1 a day more',
    read: (sent: unknown) => {
      const said = String(sent)
      if (said === '' || said === '-1') return undefined
      return steps.get(Number(said)) ?? sent
    },
    write: (answered: unknown) => answered,
  }
}

/** Of every list of orders, and of what stands beside it. */
export const ORDER_ROW: Readonly<Record<string, Told>> = {
  order_id: told('orderNo'),
  user_id: told('merchantId'),
  sv_us_name: told('shopName'),
  sv_ul_acountno: told('account'),
  sv_do_content: told('content'),
  sv_paytype: told('payMethod', named(PAY_METHODS)),
  sv_do_price: told('totalCents', amount),
  sv_do_originalprice: told('originalCents', amount),
  sv_dos_name: told('status', named({ quoted: '待支付', paid: '已支付', recycled: '已撤销' })),
  sv_salestype: told('salesType', SALES),
  sv_salestype_name: told('salesType', named(SALES_NAMES)),
  sv_openshop_person: told('managerName'),
  sv_d_user_name: told('actorName'),
  sv_distributororder_remark: told('remark'),
  sv_ul_regdate: told('registeredAt', instant),
  sv_paymentdate: told('paidAt', instant),
  sv_ordercreationdate: told('createdAt', instant),
}

export const APPROVAL_STATES = states({ pending: 0, approved: 1, rejected: 2, reviewing: 3 }, ['', -1])

export const APPROVAL_ROW: Readonly<Record<string, Told>> = {
  id: told('id'),
  user_id: told('merchantId'),
  sv_us_name: told('shopName'),
  sv_us_shortname: told('shortName'),
  sv_us_phone: told('shopPhone'),
  sv_ul_mobile: told('account'),
  sv_uc_sysmessageno: told('smsBalance'),
  sv_us_signature: told('content'),
  sv_content: told('content'),
  sv_approval_status: told('state', APPROVAL_STATES),
  sv_refuseReason: told('reason'),
  sv_created_date: told('createdAt', instant),
}

export const PROGRAM_TYPES = states(
  {
    shop: 1,
    points: 2,
    shopBooking: 3,
    shopPoints: 4,
    shopPointsBooking: 5,
    scanOrder: 6,
    scanBuy: 7,
    booking: 8,
    artTraining: 9,
    boardGames: 10,
  },
  ['', -1, 0],
)

export const APPLICATION_ID = of('sv_wxapp_application_id|id|applicationId|application_id', whole)
