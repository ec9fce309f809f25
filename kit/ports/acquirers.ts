// What an acquirer is that shops are brought in to (进件): one record each, which says what its form asks, in its order and names, and how
// a shop is paid through it.

/** What the office knows of a shop, by the name under which a form may ask for it. */
export const ACQUIRER_SOURCES = {
  company: '营业执照名称',
  creditCode: '统一社会信用代码',
  legalPerson: '法定代表人',
  idNumber: '身份证号码',
  shopName: '门店名称',
  shortName: '商户简称',
  regionName: '所在地区',
  address: '详细地址',
  category: '经营类目',
  contactName: '联系人',
  contactPhone: '联系电话',
  email: '联系邮箱',
  payType: '账户类型',
  accountName: '开户名称',
  accountNumber: '银行账号',
  bankRegionName: '开户行地区',
  bankName: '开户银行',
  branchName: '支行名称',
  branchNumber: '支行联行号',
  rate: '费率',
} as const
export type AcquirerSource = keyof typeof ACQUIRER_SOURCES
export const ACQUIRER_SOURCE_KEYS = Object.keys(ACQUIRER_SOURCES) as [AcquirerSource, ...AcquirerSource[]]

/** Kinds of papers that a form may ask for. */
export const ACQUIRER_PAPERS = {
  businessLicence: '营业执照',
  idCardFront: '身份证人像面',
  idCardBack: '身份证国徽面',
  accountPermit: '开户许可证',
  bankCard: '银行卡',
  shopFront: '门头照片',
  shopInside: '店内照片',
  checkstand: '收银台照片',
} as const
export type AcquirerPaper = keyof typeof ACQUIRER_PAPERS
export const ACQUIRER_PAPER_KEYS = Object.keys(ACQUIRER_PAPERS) as [AcquirerPaper, ...AcquirerPaper[]]

export type AskedLine = {
  /** As its form calls it: the head of a spreadsheet's line, the name in a JSON text. */
  name: string
  source: AcquirerSource
  required: boolean
  /** What it calls our words. */
  words?: Readonly<Record<string, string>>
  /** What a JSON text has in place of the value; `district`: six digits of the national table, empty where it is not known. */
  written?: (known: Readonly<Record<AcquirerSource, string>>, district: string) => unknown
}
export type AskedPicture = {
  /** Without its ending. */
  fileName: string
  paper: AcquirerPaper
  required: boolean
  /** Asked for with this kind of account alone. */
  payType?: 'corporate' | 'private'
}

/** Its code, and our word. */
type AcquirerCategories = readonly (readonly [code: string, word: string])[]

/** What its protocol wants of a value beyond that it is there. `words` say what is wrong, in Chinese. */
type ProtocolWant = {
  source: AcquirerSource
  words: string
  fits(known: Readonly<Record<AcquirerSource, string>>): boolean
}

export type AcquirerRecord = {
  /** As people call it. */
  label: string
  /** Its merchant numbers; `pattern` is checked after white space around it is gone. */
  code: { max: number; pattern: string; patternWords: string }
  /** What its form is handed in as, and what that file is called. */
  form: { as: 'xlsx' | 'json'; fileName: string }
  lines: readonly AskedLine[]
  pictures: readonly AskedPicture[]
  /** The method by which its shops are paid: which of its values is the number, and which the key that is typed when it is handed over. */
  pays: { methodId: number; number: string; secret: string | null }
  /** Where shops are handed in by its protocol, once its service is configured: its categories in the order in which they are offered. */
  protocol?: { categories: AcquirerCategories; wants: readonly ProtocolWant[] }
}

const line = (name: string, source: AcquirerSource, words?: AskedLine['words']): AskedLine => ({
  ...{ name, source, required: true },
  ...(words && { words }),
})
const optional = (name: string, source: AcquirerSource): AskedLine => ({ name, source, required: false })
const picture = (
  fileName: string,
  paper: AcquirerPaper,
  payType?: AskedPicture['payType'],
): AskedPicture => ({
  ...{ fileName, paper, required: true },
  ...(payType && { payType }),
})

/** Merchant category codes (ISO 18245). [K]: which of them TianQue takes was not verified. */
const TIANQUE_CATEGORIES: AcquirerCategories = [
  ['5812', '餐馆'],
  ['5814', '快餐店'],
  ['5813', '酒吧、茶馆'],
  ['5811', '宴会与团餐'],
  ['5462', '面包糕点店'],
  ['5441', '糖果坚果店'],
  ['5451', '奶制品与冷饮店'],
  ['5411', '超市'],
  ['5499', '便利店与食品店'],
  ['5422', '肉类与生鲜店'],
  ['5921', '酒类商店'],
  ['5311', '百货商店'],
  ['5331', '杂货店'],
  ['5200', '家居与建材店'],
  ['5651', '服装店'],
  ['5661', '鞋店'],
  ['5732', '电子产品店'],
  ['5722', '家用电器店'],
  ['5912', '药店'],
  ['5977', '化妆品店'],
  ['5992', '花店'],
  ['5995', '宠物店'],
  ['5943', '文具店'],
  ['5942', '书店'],
  ['7230', '美容美发店'],
  ['7011', '酒店住宿'],
  ['7832', '电影院'],
  ['7997', '健身与俱乐部'],
]

/** The two wallets, bank cards up to 1,000 yuan and above: all at the rate that was agreed with the shop. */
const TIANQUE_RATE_TYPES = ['01', '02', '06', '07'] as const
/** Values of TianQue's published form that are made of ours, alike by its protocol and by hand. Regions are filled with noughts to twelve digits. */
export const TIANQUE_FORM = {
  regProvCd: (district: string) => `${district.slice(0, 2)}0000000000`,
  regCityCd: (district: string) => `${district.slice(0, 4)}00000000`,
  regDistCd: (district: string) => `${district}000000`,
  mccCd: (category: string) => TIANQUE_CATEGORIES.find(([, word]) => word === category)?.[0] ?? '',
  qrcodeList: (rate: string) => TIANQUE_RATE_TYPES.map(rateType => ({ rateType, rate })),
} as const
const regionLine = (name: 'regProvCd' | 'regCityCd' | 'regDistCd'): AskedLine => ({
  ...line(name, 'regionName'),
  written: (_, district) => (district === '' ? '' : TIANQUE_FORM[name](district)),
})

/** By the names that are stored, in the order in which people see them. */
export const ACQUIRERS = {
  // [D] but `depoBank`, as `providers/README.md` says: the published names of its form, and its codes where we have them.
  tianque: {
    label: '随行付天阙',
    code: { max: 15, pattern: '^[0-9]{15}$', patternWords: '为 15 位数字' },
    form: { as: 'json', fileName: 'income' },
    lines: [
      line('mecDisNm', 'shortName'),
      line('mblNo', 'contactPhone'),
      line('cprRegNmCn', 'company'),
      line('registCode', 'creditCode'),
      ...(['regProvCd', 'regCityCd', 'regDistCd'] as const).map(regionLine),
      line('cprRegAddr', 'address'),
      {
        ...line('mccCd', 'category'), // A line of business in other words stays as it is, for whoever looks its code up.
        written: ({ category }) => TIANQUE_FORM.mccCd(category) || category,
      },
      line('csTelNo', 'contactPhone'),
      line('identityName', 'legalPerson'),
      line('identityNo', 'idNumber'),
      line('actNm', 'accountName'),
      line('actTyp', 'payType', { corporate: '00', private: '01' }),
      line('actNo', 'accountNumber'),
      line('depoBank', 'bankName'),
      line('lbnkNm', 'branchName'),
      line('lbnkNo', 'branchNumber'),
      { ...line('qrcodeList', 'rate'), written: ({ rate }) => TIANQUE_FORM.qrcodeList(rate) },
    ],
    pictures: [
      picture('licensePic', 'businessLicence'),
      picture('legalPersonidPositivePic', 'idCardFront'),
      picture('legalPersonidOppositePic', 'idCardBack'),
      picture('openingAccountLicensePic', 'accountPermit', 'corporate'),
      picture('bankCardPositivePic', 'bankCard', 'private'),
      picture('storePic', 'shopFront'),
      picture('insideScenePic', 'shopInside'),
    ],
    pays: { methodId: 13, number: 'mno', secret: null },
    protocol: {
      categories: TIANQUE_CATEGORIES,
      wants: [
        {
          source: 'shortName',
          words: '商户简称不能全是数字',
          fits: ({ shortName }) => !/^\d+$/.test(shortName),
        },
        {
          source: 'creditCode',
          words: '统一社会信用代码须为企业或个体工商户的 18 位代码，其他主体请到渠道后台办理',
          fits: ({ creditCode }) => /^9[1-3][0-9A-Z]{16}$/.test(creditCode),
        },
        {
          source: 'contactPhone',
          words: '联系电话须为手机号',
          fits: ({ contactPhone }) => /^1\d{10}$/.test(contactPhone),
        },
        {
          source: 'category',
          words: '经营类目须从渠道的类目中选择',
          fits: ({ category }) => TIANQUE_CATEGORIES.some(([, word]) => word === category),
        },
        {
          source: 'accountName',
          words: '开户名称须与营业执照名称（对公）或法定代表人（对私）一致，授权结算请到渠道后台办理',
          fits: ({ accountName, payType, company, legalPerson }) =>
            accountName === (payType === 'private' ? legalPerson : company),
        },
        {
          source: 'branchNumber',
          words: '支行联行号须为 12 位数字',
          fits: ({ branchNumber }) => /^\d{12}$/.test(branchNumber),
        },
      ],
    },
  },
  // [K]: the documents name it by two letters alone; its form is what acquirers commonly ask.
  xl: {
    label: 'XL 收单',
    code: { max: 20, pattern: '^[0-9A-Za-z]{8,20}$', patternWords: '为 8 至 20 位字母或数字' },
    form: { as: 'xlsx', fileName: '商户进件表' },
    lines: [
      line('商户名称', 'company'),
      line('商户简称', 'shortName'),
      line('统一社会信用代码', 'creditCode'),
      line('法人姓名', 'legalPerson'),
      line('法人身份证号', 'idNumber'),
      line('联系人', 'contactName'),
      line('联系电话', 'contactPhone'),
      optional('联系邮箱', 'email'),
      line('省市区', 'regionName'),
      line('详细地址', 'address'),
      line('经营类目', 'category'),
      line('账户类型', 'payType', { corporate: '对公', private: '对私' }),
      line('开户名称', 'accountName'),
      line('银行账号', 'accountNumber'),
      line('开户行', 'bankName'),
      line('开户支行', 'branchName'),
      line('联行号', 'branchNumber'),
      line('费率', 'rate'),
    ],
    pictures: [
      picture('01营业执照', 'businessLicence'),
      picture('02法人身份证正面', 'idCardFront'),
      picture('03法人身份证反面', 'idCardBack'),
      picture('04开户许可证', 'accountPermit', 'corporate'),
      picture('04结算银行卡', 'bankCard', 'private'),
      picture('05门头照', 'shopFront'),
      picture('06店内照', 'shopInside'),
      picture('07收银台照', 'checkstand'),
    ],
    pays: { methodId: 16, number: 'mercId', secret: 'signKey' },
  },
  // [K]: as above.
  lianfu: {
    label: 'Lianfutech',
    code: { max: 15, pattern: '^[0-9]{10,15}$', patternWords: '为 10 至 15 位数字' },
    form: { as: 'xlsx', fileName: '入网申请表' },
    lines: [
      line('商户全称', 'company'),
      line('门店名称', 'shopName'),
      line('营业执照号', 'creditCode'),
      line('法人', 'legalPerson'),
      line('身份证号码', 'idNumber'),
      line('手机号', 'contactPhone'),
      line('经营地区', 'regionName'),
      line('经营地址', 'address'),
      line('行业', 'category'),
      line('结算类型', 'payType', { corporate: '对公账户', private: '法人账户' }),
      line('结算户名', 'accountName'),
      line('结算账号', 'accountNumber'),
      line('结算银行', 'bankName'),
      line('开户行所在地', 'bankRegionName'),
      line('结算支行', 'branchName'),
      line('签约费率', 'rate'),
    ],
    pictures: [
      picture('营业执照', 'businessLicence'),
      picture('身份证正面', 'idCardFront'),
      picture('身份证反面', 'idCardBack'),
      picture('开户许可证', 'accountPermit', 'corporate'),
      picture('银行卡正面', 'bankCard', 'private'),
      picture('门头照', 'shopFront'),
      picture('收银台', 'checkstand'),
    ],
    pays: { methodId: 17, number: 'mercId', secret: 'signKey' },
  },
} as const satisfies Record<string, AcquirerRecord>

export type AcquirerName = keyof typeof ACQUIRERS
export const ACQUIRER_KEYS = Object.keys(ACQUIRERS) as [AcquirerName, ...AcquirerName[]]

export function acquirerOf(name: AcquirerName): AcquirerRecord {
  return ACQUIRERS[name]
}

export const ACQUIRER_NAMES = Object.fromEntries(
  ACQUIRER_KEYS.map(name => [name, ACQUIRERS[name].label]),
) as Record<AcquirerName, string>

/** The paper that proves an account of this kind; null: the acquirer asks for none. */
export const accountPaperOf = (name: AcquirerName, payType: 'corporate' | 'private'): AcquirerPaper | null =>
  acquirerOf(name).pictures.find(one => one.payType === payType)?.paper ?? null

/** The pictures that go along with an account of this kind. */
export const picturesFor = (name: AcquirerName, payType: 'corporate' | 'private'): readonly AskedPicture[] =>
  acquirerOf(name).pictures.filter(one => one.payType === undefined || one.payType === payType)
