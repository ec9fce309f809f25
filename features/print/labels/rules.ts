// Owns what holds for label templates beside what all print templates have (D3 §5, §9).
import { setting } from '#kit/declare/settings.ts'
import { umOfMm } from '#kit/print/units.ts'

export const LIST_PATH = '/admin/template/labelPrintList'
export const DESIGNER_PATH = '/admin/template/labelPrinting'

export const LABEL_PICTURE = 'label-background'
/** D3 §9: passes below 500 KB. */
export const LABEL_PICTURE_KB = setting({
  key: 'label-background-kb',
  group: '上传',
  label: '标签背景图大小',
  unit: 'KB',
  initial: 500,
  min: 100,
  max: 1_024,
  hint: '标签模板的背景图最大多少；背景图只在设计时看到，不打印',
})

export const LABEL_WORDS = {
  added: '保存成功',
  edited: '编辑成功',
  copied: '复制成功',
  removed: '删除成功',
  kept: '已取消删除',
  removal: '此操作将删除该模板, 是否继续?',
} as const

/** After a save the list is shown (D3 §8). */
export const LEAVE_AFTER_MS = 1_000

const sized = (width: number, height: number) => ({
  value: `${umOfMm(width)}x${umOfMm(height)}`,
  label: `${width} × ${height} mm`,
})
/** Labels as they are sold. */
export const LENGTHS_OF_PAPER = [
  sized(80, 40),
  sized(60, 40),
  sized(70, 35),
  sized(50, 30),
  sized(40, 30),
  sized(40, 60),
  sized(100, 50),
]
