// Demo rows of companies that want to become partners, in each state.
import { createHash } from 'node:crypto'
import { DEMO_AGENTS, demoOwner, demoStaff } from '#features/office/access/demo.ts'
import { tell } from '#features/office/notices/demo.ts'
import { regionName } from '#features/office/regions/divisions.ts'
import { ago, type Demo, drawPicture } from '#server/demo.ts'
import { type ApplicationState, LICENCE_PICTURE } from './rules.ts'
import { partnerApplicationNotes, partnerApplications } from './tables.ts'

type Applicant = readonly [
  companyName: string,
  contactName: string,
  mobile: string,
  districtCode: string,
  sells: string,
  days: number,
  state: ApplicationState,
  said: string,
]
const APPLICANTS: readonly Applicant[] = [
  [
    '东莞市联创收银设备有限公司',
    '罗建国',
    '13512345601',
    '441900',
    '收银机、打印机，现服务 60 家餐饮店',
    0.2,
    'new',
    '',
  ],
  [
    '长沙味蕾餐饮管理有限公司',
    '唐敏',
    '13512345602',
    '430104',
    '餐饮加盟品牌，旗下 35 家门店',
    1.1,
    'new',
    '',
  ],
  [
    '佛山市禅城区云店软件服务部',
    '梁伟',
    '13512345603',
    '440604',
    '小程序代运营，想增加收银产品',
    2.3,
    'new',
    '',
  ],
  [
    '武汉江汉数码科技有限公司',
    '胡志强',
    '13512345604',
    '420103',
    '数码批发，覆盖武汉三镇',
    3.4,
    'contacting',
    '已通话，希望先拿 20 家试点，等报价',
  ],
  [
    '南昌市红谷滩鑫达商贸有限公司',
    '熊丽',
    '13512345605',
    '360113',
    '便利店供货，自有配送',
    6.8,
    'contacting',
    '约了下周一视频演示',
  ],
  [
    '惠州市惠城区老街坊商行',
    '曾先生',
    '13512345606',
    '441302',
    '五金零售',
    12.5,
    'refused',
    '只有一家门店，没有服务团队',
  ],
  [
    '广州市番禺区捷信网络科技有限公司',
    '何嘉欣',
    '13512345607',
    '440113',
    '弱电施工与网络维护',
    25.1,
    'refused',
    '所在区域已有两家合作伙伴',
  ],
]

const LICENCE = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="450"><rect width="640" height="450" fill="#fff"/>
<rect x="16" y="16" width="608" height="418" fill="none" stroke="#999" stroke-width="4"/>
<rect x="200" y="60" width="240" height="32" fill="#bbb"/><rect x="80" y="140" width="480" height="14" fill="#ddd"/>
<rect x="80" y="180" width="420" height="14" fill="#ddd"/><rect x="80" y="220" width="460" height="14" fill="#ddd"/>
<circle cx="500" cy="350" r="48" fill="none" stroke="#d66" stroke-width="6"/></svg>`

export async function demo(demo: Demo): Promise<void> {
  const ipHash = createHash('sha256').update('demo').digest()
  const staff = demoStaff(demo)
  const licenceId = await drawPicture(demo, LICENCE, {
    agentId: staff.agentId,
    purpose: LICENCE_PICTURE,
    createdBy: 0,
    createdAt: ago(demo, 3.4),
    sealed: true,
  })
  const became = demoOwner(demo, DEMO_AGENTS.fresh)
  const applicants: Applicant[] = [
    ...APPLICANTS,
    [
      became.company,
      became.name,
      '13512345608',
      '441302',
      '收银硬件安装，服务惠州三个区',
      142,
      'accepted',
      '',
    ],
  ]
  for (const [companyName, contactName, mobile, districtCode, sells, days, state, said] of applicants)
    demo.history.at(ago(demo, days), createdAt => {
      const handled = state === 'new' ? null : ago(demo, days - 0.15)
      const { id } = demo.history.add(partnerApplications, {
        ...{ companyName, contactName, mobile, districtCode, sells, ipHash, state, createdAt },
        regionName: regionName(districtCode),
        licenceId: state === 'contacting' && days < 5 ? licenceId : null,
        agentId: state === 'accepted' ? became.agentId : null,
        reason: state === 'refused' ? said : '',
        handledByName: handled ? staff.name : '',
        handledAt: handled,
      })
      if (state === 'contacting' && handled)
        demo.history.add(partnerApplicationNotes, {
          applicationId: id,
          text: said,
          createdBy: staff.id,
          createdByName: staff.name,
          createdAt: handled,
        })
      tell(demo, staff, createdAt, {
        topic: 'Application_Notify',
        title: '新的合作申请',
        body: `${companyName}，${contactName} ${mobile}`,
        link: `/admin/operations/applications?application=${id}`,
        args: { applicationId: id },
      })
    })
}
