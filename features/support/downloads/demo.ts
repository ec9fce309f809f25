// Demo rows of files to download: small ones, whose content says what would be there.
import { demoStaff } from '#features/office/access/demo.ts'
import { ago, type Demo, keepBytes } from '#server/demo.ts'
import { drawn } from '#server/documents/pdf.ts'
import { DOWNLOAD_FILE, FILE_TYPE, type System } from './rules.ts'
import { downloadFiles } from './tables.ts'

type Told = {
  system: System
  name: string
  version: string
  days: number
  downloads: number
  notes: string
  /** How its file ends; none: it lies elsewhere. */
  ending?: 'txt' | 'pdf' | 'csv'
  link?: string
  withdrawn?: true
}

const CLIENT = '收银客户端'
const FILES: readonly Told[] = [
  {
    ...{ system: 'windows', name: CLIENT, version: '5.2.1', days: 12, downloads: 46, ending: 'txt' },
    notes: '修复：小票打印偶尔缺最后一行。\n支持 Windows 10 及以上。',
  },
  {
    ...{ system: 'windows', name: CLIENT, version: '5.2.0', days: 55, downloads: 118, ending: 'txt' },
    notes: '新增：会员储值按门店限制。',
  },
  {
    ...{ system: 'windows', name: CLIENT, version: '5.1.8', days: 130, downloads: 263, ending: 'txt' },
    notes: '支持 Windows 7 的最后一个版本。',
  },
  {
    ...{ system: 'windows', name: '打印助手', version: '2.4.0', days: 80, downloads: 71, ending: 'txt' },
    notes: '小票、标签打印机驱动和测试工具。',
  },
  {
    ...{ system: 'macos', name: CLIENT, version: '5.2.1', days: 11, downloads: 9, ending: 'txt' },
    notes: '支持 macOS 13 及以上。',
  },
  {
    ...{ system: 'android', name: '手持收银', version: '3.9.2', days: 20, downloads: 87, ending: 'txt' },
    notes: '适用于安卓手持机和大屏收银机。',
  },
  {
    ...{ system: 'ios', name: '掌上店铺', version: '3.9.0', days: 26, downloads: 0 },
    link: 'https://apps.apple.com/cn/',
    notes: '在应用商店安装，支持 iPhone 和 iPad。',
  },
  {
    ...{ system: 'linux', name: '后厨显示', version: '1.3.0', days: 61, downloads: 5, ending: 'txt' },
    notes: '用于后厨显示屏。',
  },
  {
    ...{ system: 'manual', name: '快速上手', version: '2026.1', days: 90, downloads: 152, ending: 'pdf' },
    notes: '给店主的一页纸：登录、收银、交班。',
  },
  {
    ...{
      system: 'material',
      name: '版本功能对照表',
      version: '2026.3',
      days: 31,
      downloads: 64,
      ending: 'csv',
    },
    notes: '可直接发给客户比较各版本的功能。',
  },
  {
    ...{ system: 'android', name: '手持收银', version: '3.9.1', days: 40, downloads: 12, ending: 'txt' },
    notes: '个别机型闪退，已下架。',
    withdrawn: true,
  },
]

const QUICK = {
  title: '收银软件快速上手',
  facts: [
    ['适用', '新开通的店铺'],
    ['登录', '用开店资料中的账号和初始密码，首次登录请修改密码'],
  ],
  tables: [
    {
      title: '第一天',
      columns: [
        { header: '步骤', width: 1 },
        { header: '做什么', width: 3 },
      ],
      rows: [
        { cells: ['1 商品', '导入或新增商品，核对售价'] },
        { cells: ['2 打印', '连接打印机，打印测试小票'] },
        { cells: ['3 收银', '扫码、改价、收款各试一单并退货'] },
        { cells: ['4 交班', '清点现金，打印交班单'] },
      ],
      note: '遇到问题请联系您的服务商。',
    },
  ],
} as const

const COMPARED =
  '\ufeff功能,基础版,连锁版,高级版\r\n收银,有,有,有\r\n会员储值,无,有,有\r\n多门店,无,有,有\r\n微商城,无,无,有\r\n'

async function bytesOf({ ending, name, version, notes }: Told): Promise<Buffer> {
  if (ending === 'pdf') return drawn(QUICK)
  if (ending === 'csv') return Buffer.from(COMPARED)
  return Buffer.from(`${name} ${version}\r\n\r\n${notes}\r\n\r\n这是演示文件，不是安装包。\r\n`)
}

export async function demo(demo: Demo): Promise<void> {
  const staff = demoStaff(demo)
  // An office that keeps no files has them elsewhere.
  const elsewhere = 'https://downloads.example.com/'
  for (const told of FILES) {
    const { ending, system, name, version, notes, link = elsewhere, downloads, days, withdrawn } = told
    const createdAt = ago(demo, days)
    const upload = { agentId: staff.agentId, purpose: DOWNLOAD_FILE, createdBy: staff.id, createdAt }
    const bytes = ending ? await bytesOf(told) : null
    const file = bytes && (await keepBytes(demo, { bytes, mime: FILE_TYPE }, upload))
    demo.history.at(createdAt, () => {
      demo.history.add(downloadFiles, {
        ...{ system, name, version, notes, downloads, createdAt },
        link: file ? '' : link,
        createdByName: staff.name,
        fileId: file?.id ?? null,
        fileName: file ? `${name}-${version}.${ending}` : '',
        byteSize: (file && bytes?.length) ?? 0,
        sha256: file?.sha256 ?? '',
        withdrawnAt: withdrawn ? ago(demo, days - 6) : null,
      })
    })
  }
}
