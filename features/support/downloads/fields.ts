// What the fields of a file to download and its list are (D3 §2 Downloads).
import type { Fields } from '#kit/declare/fields.ts'
import { byWord, list } from '#kit/declare/list.ts'
import { DOWNLOAD_LIMITS, SYSTEMS } from './rules.ts'

export const DOWNLOAD_FIELDS = {
  id: { kind: 'id', label: '文件编号', in: ['row'] },
  system: { kind: 'word', label: '适用系统', words: SYSTEMS, in: ['row', 'log'] },
  name: { kind: 'text', label: '名称', max: DOWNLOAD_LIMITS.name, in: ['row', 'log'] },
  version: { kind: 'text', label: '版本号', max: DOWNLOAD_LIMITS.version, in: ['row', 'log'] },
  notes: { kind: 'text', label: '说明', max: DOWNLOAD_LIMITS.notes, in: ['row', 'log'] },
  fileName: { kind: 'text', label: '文件名', max: DOWNLOAD_LIMITS.fileName, in: ['row', 'log'] },
  link: { kind: 'text', label: '下载链接', max: DOWNLOAD_LIMITS.link, in: ['row', 'log'] },
  byteSize: { kind: 'count', label: '大小', unit: '字节', in: ['row'] },
  sha256: { kind: 'text', label: 'SHA-256', in: ['row', 'log'] },
  downloads: { kind: 'count', label: '下载', unit: '次', in: ['row'] },
  withdrawnAt: { kind: 'instant', label: '下架时间', nullable: true, none: '—', in: ['row', 'log'] },
  createdByName: { kind: 'text', label: '上传人', in: ['row'] },
  createdAt: { kind: 'instant', label: '上传时间', in: ['row'] },
} as const satisfies Fields

export const DOWNLOADS = list({
  key: 'downloads.list',
  title: '下载管理',
  fields: DOWNLOAD_FIELDS,
  columns: {
    name: {
      title: '名称 / 文件名',
      width: 224,
      fixed: 'start',
      opens: true,
      card: 'title',
      below: ['fileName'],
    },
    system: { width: 96, card: 'fact' },
    version: { width: 96, card: 'fact' },
    withdrawnAt: { title: '状态', width: 80, card: 'fact' },
    byteSize: { title: '大小（字节）', width: 88 },
    downloads: { width: 96, card: 'fact' },
    createdAt: {},
    createdByName: { width: 88 },
    notes: { width: 160 },
    link: { hidden: true },
    sha256: { hidden: true },
  },
  search: '名称 / 版本号 / 文件名',
  filters: {
    system: byWord(DOWNLOAD_FIELDS.system),
    withdrawn: { kind: 'flag', label: '状态', words: { true: '已下架', false: '在架' } },
  },
  sorts: ['createdAt'],
  empty: '还没有文件，上传后显示在下载中心',
})

/** A file as staff offer it: kept here, or a link to where it lies. */
export const OFFERED = {
  system: {
    ...DOWNLOAD_FIELDS.system,
    control: { as: 'select', required: true, placeholder: '请选择适用系统' },
  },
  name: {
    ...DOWNLOAD_FIELDS.name,
    control: { as: 'text', required: true, hint: '同一软件的各个版本用同一名称，最新版本会自动标出' },
  },
  version: { ...DOWNLOAD_FIELDS.version, control: { as: 'text', required: true, hint: '如 5.2.1' } },
  fileId: { kind: 'text', label: '文件', nullable: true, control: { as: 'own' } },
  fileName: { ...DOWNLOAD_FIELDS.fileName, control: { as: 'text', hint: '下载后保存的名称，含扩展名' } },
  link: {
    ...DOWNLOAD_FIELDS.link,
    control: { as: 'text', placeholder: 'https://', hint: '文件在应用商店等其他地方时填写，不用上传' },
  },
  notes: { ...DOWNLOAD_FIELDS.notes, control: { as: 'lines', rows: 3, counted: true } },
} as const satisfies Fields
