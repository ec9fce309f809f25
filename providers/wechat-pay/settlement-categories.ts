// The rules by which WeChat Pay settles with lines of business, 费率结算规则对照表 of its partner documentation, without financial
// institutions and public services, whom nobody brings in who sells point-of-sale software. [K]: copied from public copies of the
// table, to be compared with the service provider's console before production; it changes a few times a year.
import type { SettlementCategories, SettlementCategory, SubjectKind } from '#kit/ports/onboarding.ts'

type Line = readonly [
  qualificationType: string,
  papers: string,
  /** `must`: refused without them. */
  need: 'must' | 'may',
]

const NONE = ''
const EVERYDAY: readonly Line[] = [
  ['餐饮', '《食品经营许可证》或《餐饮服务许可证》，有则提供', 'may'],
  ['电商平台', NONE, 'may'],
  ['零售', '售卖烟草的提供《烟草专卖零售许可证》', 'may'],
  ['食品生鲜', '《食品经营许可证》或《食品生产许可证》，有则提供', 'may'],
  ['咨询/娱乐票务', NONE, 'may'],
  ['房产中介', NONE, 'may'],
  ['宠物医院', '《动物诊疗许可证》', 'must'],
  ['共享服务', '与商业银行签订的资金监管协议', 'must'],
  ['休闲娱乐/旅游服务', NONE, 'may'],
  ['游艺厅/KTV', '《娱乐场所经营许可证》或《文化经营许可证》', 'must'],
  ['网吧', '《网络文化经营许可证》', 'must'],
  ['院线影城', '《电影放映经营许可证》', 'must'],
  ['演出赛事', '《营业性演出许可证》', 'must'],
  ['居民生活服务', NONE, 'may'],
  ['景区/酒店', NONE, 'may'],
  ['机票/票务代理', '《航空公司营业执照》或《航空公司机票代理资格证》', 'must'],
  ['培训机构', '《办学许可证》或相关批文；驾校提供《道路运输经营许可证》', 'must'],
  [
    '保健器械/医疗器械/非处方药品',
    '药品：《药品经营许可证》，网上售药另加《互联网药品信息服务资格证书》；医疗器械：《医疗器械经营企业许可证》',
    'must',
  ],
  ['私立/民营医院/诊所', '《医疗机构执业许可证》，中医诊所为《中医诊所备案证》', 'must'],
  ['其他缴费', '收费授权证明文件', 'must'],
  ['停车缴费', '停车收费资质，有则提供', 'may'],
]
const OF_ENTERPRISES: readonly Line[] = [
  ['旅行社', '《旅行社业务经营许可证》', 'must'],
  ['城市公共交通', '收费授权证明文件', 'must'],
  ['文物经营/文物复制品销售', '销售文物的提供《文物经营许可证》', 'may'],
]
const TELECOM: readonly Line[] = [
  [
    '婚介平台/就业信息平台/其他信息服务平台',
    '婚介：《增值电信业务经营许可证》或备案；就业信息：另加《人力资源许可证》，有则提供',
    'may',
  ],
  ['虚拟充值', '自营或授权的资质与资金监管协议', 'must'],
]
const TRANSPORT: readonly Line[] = [
  ['快递', '《快递业务经营许可证》', 'must'],
  ['物流', '《道路运输经营许可证》', 'must'],
  ['加油/加气', '成品油批发、仓储或零售经营批准证书之一；加气站为《燃气经营许可证》', 'must'],
]
const VIRTUAL: readonly Line[] = [
  ['在线图书/视频/音乐', '出版、网络文化或视听节目许可证之一', 'must'],
  ['门户论坛/网络广告及推广/软件开发/其他互联网服务', NONE, 'may'],
  ['游戏', '有效期内的游戏版号', 'must'],
  ['网络直播', '《网络文化经营许可证》，范围含网络表演', 'must'],
]
const SCHOOLS: readonly Line[] = [['民办学校（非全国高等学校）', '《办学许可证》', 'must']]
const UTILITIES: readonly Line[] = [['水电煤气缴费', '收费授权证明文件', 'must']]

const rule = (
  id: string,
  subject: SubjectKind,
  rateBasisPoints: number,
  settledAfterDays: number,
  lines: readonly Line[],
): SettlementCategory[] =>
  lines.map(([qualificationType, papers, need]) => ({
    id,
    subjects: [subject],
    qualificationType,
    rateBasisPoints,
    settledAfterDays,
    papers,
    arePapersRequired: need === 'must',
  }))

export const SETTLEMENT_CATEGORIES: SettlementCategories = {
  source: '微信支付服务商文档《费率结算规则对照表》的公开转录，以服务商平台为准',
  asOf: '2024-08-17',
  rows: [
    ...rule('719', 'individual', 60, 1, EVERYDAY),
    ...rule('720', 'individual', 60, 7, TELECOM),
    ...rule('721', 'individual', 30, 1, TRANSPORT),
    ...rule('790', 'individual', 20, 1, UTILITIES),
    ...rule('746', 'individual', 100, 7, VIRTUAL),
    ...rule('716', 'enterprise', 60, 1, [...EVERYDAY, ...OF_ENTERPRISES]),
    ...rule('728', 'enterprise', 60, 7, TELECOM),
    ...rule('717', 'enterprise', 30, 1, [...TRANSPORT, ...SCHOOLS]),
    ...rule('730', 'enterprise', 20, 1, UTILITIES),
    ...rule('711', 'enterprise', 100, 7, VIRTUAL),
    ...rule('725', 'institution', 60, 1, [
      ['其他缴费', '收费授权证明文件', 'must'],
      ['景区/酒店', NONE, 'may'],
      ['停车缴费', '停车收费资质，有则提供', 'may'],
    ]),
    ...rule('727', 'organization', 60, 1, [
      ['其他缴费', '收费授权证明文件', 'must'],
      ['宗教组织', '《宗教活动场所登记证》', 'must'],
      ['居民生活服务', NONE, 'may'],
    ]),
  ],
}
