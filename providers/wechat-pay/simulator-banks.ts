// The simulated bank directory: names of banks and places are those that everybody knows, branches and their numbers are made up,
// with the check digit that numbers of branches have (ISO 7064 MOD 11,10). Codes of banks and provinces are the simulator's own.
import { Refused } from './simulator-orders.ts'

export const OTHER_BANK = '其他银行'
const PAGE_MAX = 200

type SimBank = {
  alias: string
  aliasCode: string
  accountBank: string
  accountBankCode: number
  /** The first three digits of its branches' numbers. */
  numbers: string
  /** Cities of its branches; null: all. Banks without branches here are known by their name alone. */
  cities: readonly string[] | null
  serves: 'both' | 'corporate' | 'personal'
  /** What the numbers of its cards begin with. */
  cards: readonly string[]
}

const known = (
  alias: string,
  accountBankCode: number,
  numbers: string,
  cards: readonly string[] = [],
): Omit<SimBank, 'aliasCode'> => ({
  alias,
  accountBank: alias,
  accountBankCode,
  numbers,
  cities: [],
  serves: 'both',
  cards,
})
const other = (
  alias: string,
  numbers: string,
  cities: readonly string[] | null,
  serves: SimBank['serves'] = 'both',
  cards: readonly string[] = [],
): Omit<SimBank, 'aliasCode'> => ({
  alias,
  accountBank: OTHER_BANK,
  accountBankCode: 1099,
  numbers,
  cities,
  serves,
  cards,
})

const BANKS: readonly SimBank[] = [
  known('工商银行', 1002, '102', ['622202', '621226']),
  known('农业银行', 1005, '103', ['622848', '622845']),
  known('中国银行', 1026, '104', ['621661', '621785']),
  known('建设银行', 1003, '105', ['621700', '622700']),
  known('交通银行', 1020, '301', ['622260']),
  known('招商银行', 1001, '308', ['622588', '621486']),
  known('邮政储蓄银行', 1066, '403', ['621098', '622188']),
  known('浦发银行', 1004, '310', ['622521']),
  known('民生银行', 1006, '305', ['622622']),
  known('兴业银行', 1009, '309', ['622908']),
  known('平安银行', 1010, '307', ['622298']),
  known('中信银行', 1021, '302', ['622690']),
  known('光大银行', 1022, '303', ['622660']),
  known('华夏银行', 1025, '304', ['622630']),
  known('广发银行', 1027, '306', ['622568']),
  other('上海银行', '325', ['上海市', '北京市', '南京市', '苏州市', '杭州市', '深圳市', '成都市'], 'both', [
    '622892',
  ]),
  other('江苏银行', '313', ['南京市', '苏州市', '上海市', '北京市', '深圳市', '杭州市']),
  other('杭州银行', '313', ['杭州市', '宁波市', '上海市', '北京市', '深圳市', '南京市']),
  other('长沙银行', '313', ['长沙市', '广州市']),
  other('渤海银行', '318', null),
  other('恒丰银行', '315', null),
  other('浙商银行', '316', null),
  other('北京农商银行', '402', ['北京市']),
  other('广州农村商业银行', '314', ['广州市', '佛山市']),
  other('深圳农村商业银行', '402', ['深圳市']),
  other('重庆农村商业银行', '314', ['重庆市']),
  other('国家开发银行', '201', ['北京市', '上海市'], 'corporate'),
  other('浙江网商银行', '323', ['杭州市'], 'personal', ['623034']),
].map((bank, place) => ({ ...bank, aliasCode: String(1_000_009_501 + place) }))

type SimCity = { name: string; code: number; numbers: string }
type SimProvince = { name: string; code: number; division: string; cities: readonly SimCity[] }
const place = (name: string, code: number, numbers: string): SimCity => ({ name, code, numbers })

const PROVINCES: readonly SimProvince[] = (
  [
    ['北京市', '11', [place('北京市', 10, '1000')]],
    ['天津市', '12', [place('天津市', 22, '1100')]],
    ['河北省', '13', [place('石家庄市', 311, '1210'), place('唐山市', 315, '1240')]],
    ['山西省', '14', [place('太原市', 351, '1610')]],
    ['内蒙古自治区', '15', [place('呼和浩特市', 471, '1910')]],
    ['辽宁省', '21', [place('沈阳市', 24, '2210'), place('大连市', 411, '2220')]],
    ['吉林省', '22', [place('长春市', 431, '2410')]],
    ['黑龙江省', '23', [place('哈尔滨市', 451, '2610')]],
    ['上海市', '31', [place('上海市', 21, '2900')]],
    ['江苏省', '32', [place('南京市', 25, '3010'), place('苏州市', 512, '3050')]],
    ['浙江省', '33', [place('杭州市', 571, '3310'), place('宁波市', 574, '3320')]],
    ['安徽省', '34', [place('合肥市', 551, '3610')]],
    ['福建省', '35', [place('福州市', 591, '3910'), place('厦门市', 592, '3930')]],
    ['江西省', '36', [place('南昌市', 791, '4210')]],
    ['山东省', '37', [place('济南市', 531, '4510'), place('青岛市', 532, '4520')]],
    ['河南省', '41', [place('郑州市', 371, '4910')]],
    ['湖北省', '42', [place('武汉市', 27, '5210')]],
    ['湖南省', '43', [place('长沙市', 731, '5510')]],
    [
      '广东省',
      '44',
      [
        place('广州市', 20, '5810'),
        place('深圳市', 755, '5840'),
        place('佛山市', 757, '5880'),
        place('东莞市', 769, '6020'),
      ],
    ],
    ['广西壮族自治区', '45', [place('南宁市', 771, '6110')]],
    ['海南省', '46', [place('海口市', 898, '6410')]],
    ['重庆市', '50', [place('重庆市', 23, '6530')]],
    ['四川省', '51', [place('成都市', 28, '6510')]],
    ['贵州省', '52', [place('贵阳市', 851, '7010')]],
    ['云南省', '53', [place('昆明市', 871, '7310')]],
    ['西藏自治区', '54', [place('拉萨市', 891, '7700')]],
    ['陕西省', '61', [place('西安市', 29, '7910')]],
    ['甘肃省', '62', [place('兰州市', 931, '8210')]],
    ['青海省', '63', [place('西宁市', 971, '8510')]],
    ['宁夏回族自治区', '64', [place('银川市', 951, '8710')]],
    ['新疆维吾尔自治区', '65', [place('乌鲁木齐市', 991, '8810')]],
  ] as const
).map(([name, division, cities], index) => ({ name, division, cities, code: index + 1 }))

const CITIES = PROVINCES.flatMap(({ cities }) => cities)
const STREETS = ['营业部', '高新支行', '人民路支行', '中山路支行']

export type SimBranch = { bank: SimBank; city: SimCity; name: string; number: string }

const BRANCHES: readonly SimBranch[] = BANKS.flatMap((bank, order) =>
  CITIES.filter(({ name }) => bank.cities === null || bank.cities.includes(name)).flatMap(city => {
    // One or two in most cities, four where a bank has few.
    const count = bank.cities !== null && bank.cities.length < 4 ? 4 : 1 + ((order + city.code) % 2)
    return STREETS.slice(0, count).map((street, index) => ({
      bank,
      city,
      name: `${bank.alias}股份有限公司${city.name.replace(/市$/, '')}${street}`,
      number: branchNumber(bank.numbers, city.numbers, order * 10 + index + 1),
    }))
  }),
)

function branchNumber(bank: string, city: string, order: number): string {
  const digits = `${bank}${city}${String(order).padStart(4, '0')}`
  return `${digits}${checkDigit(digits)}`
}

/** Of ISO 7064 MOD 11,10. */
export function checkDigit(digits: string): number {
  const carried = [...digits].reduce((before, digit) => {
    const sum = (before + Number(digit)) % 10
    return ((sum === 0 ? 10 : sum) * 2) % 11
  }, 10)
  return (11 - carried) % 10
}

/** Whether a division of six digits names at least a city. */
export function isDivision(code: string): boolean {
  const province = PROVINCES.find(({ division }) => code.startsWith(division))
  const isMunicipality = ['11', '12', '31', '50'].includes(code.slice(0, 2))
  return /^\d{6}$/.test(code) && province !== undefined && (isMunicipality || !code.endsWith('0000'))
}

/** Why an account cannot be at this bank, and by which name the field is called; null where it can. */
export function refuseBank(bank: {
  isPersonal: boolean
  accountBank: string
  number: string
  name: string
}): { name: string; says: string } | null {
  const banks = BANKS.filter(({ accountBank }) => accountBank === bank.accountBank)
  if (!banks.some(({ serves }) => serves !== (bank.isPersonal ? 'corporate' : 'personal')))
    return { name: 'account_bank', says: '开户银行取值有误' }
  if (bank.accountBank !== OTHER_BANK) return null
  const branch = BRANCHES.find(({ number, name }) =>
    bank.number ? number === bank.number : name === bank.name,
  )
  if (!branch)
    return { name: bank.number ? 'bank_branch_id' : 'bank_name', says: '开户银行联行号或支行名称有误' }
  return bank.name && branch.name !== bank.name ? { name: 'bank_name', says: '支行名称与联行号不一致' } : null
}

const describe = (bank: SimBank) => ({
  bank_alias: bank.alias,
  bank_alias_code: bank.aliasCode,
  account_bank: bank.accountBank,
  account_bank_code: bank.accountBankCode,
  need_bank_branch: bank.accountBank === OTHER_BANK,
})

export function listBanks(kind: 'corporate' | 'personal', query: URLSearchParams): object {
  const rows = BANKS.filter(({ serves }) => serves === 'both' || serves === kind)
  return paged(rows.map(describe), query)
}

export function banksOfNumber(accountNumber: string): object {
  if (!/^\d{8,30}$/.test(accountNumber)) throw new Refused(400, 'PARAM_ERROR', '银行账号格式有误')
  const data = BANKS.filter(({ cards }) => cards.some(card => accountNumber.startsWith(card))).map(describe)
  return { total_count: data.length, data }
}

export function listProvinces(): object {
  const data = PROVINCES.map(({ name, code }) => ({ province_name: name, province_code: code }))
  return { total_count: data.length, data }
}

export function listCities(provinceCode: string): object {
  const province = PROVINCES.find(({ code }) => String(code) === provinceCode)
  if (!province) throw new Refused(400, 'PARAM_ERROR', '省份编码有误')
  const data = province.cities.map(({ name, code }) => ({ city_name: name, city_code: code }))
  return { total_count: data.length, data }
}

export function listBranches(aliasCode: string, query: URLSearchParams): object {
  const bank = BANKS.find(one => one.aliasCode === aliasCode)
  if (!bank || bank.accountBank !== OTHER_BANK)
    throw new Refused(400, 'PARAM_ERROR', '银行别名编码有误，仅支持需要填写支行的银行')
  const city = CITIES.find(({ code }) => String(code) === query.get('city_code'))
  if (!city) throw new Refused(400, 'PARAM_ERROR', '城市编码有误')
  const rows = BRANCHES.filter(one => one.bank === bank && one.city === city)
  return {
    ...paged(
      rows.map(({ name, number }) => ({ bank_branch_name: name, bank_branch_id: number })),
      query,
    ),
    account_bank: bank.accountBank,
    account_bank_code: bank.accountBankCode,
    bank_alias: bank.alias,
    bank_alias_code: bank.aliasCode,
  }
}

function paged(rows: readonly object[], query: URLSearchParams): object {
  const offset = Number(query.get('offset') ?? 0)
  const limit = Number(query.get('limit') ?? Number.NaN)
  if (!Number.isInteger(offset) || offset < 0) throw new Refused(400, 'PARAM_ERROR', 'offset取值有误')
  if (!Number.isInteger(limit) || limit < 1 || limit > PAGE_MAX)
    throw new Refused(400, 'PARAM_ERROR', 'limit取值有误')
  const data = rows.slice(offset, offset + limit)
  return {
    total_count: rows.length,
    count: data.length,
    data,
    offset,
    links: { next: '', prev: '', self: '' },
  }
}
