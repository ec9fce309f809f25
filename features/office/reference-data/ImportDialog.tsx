import { newKey } from '#web/client/api.ts'
import { Dialog } from '#web/form/Dialog.tsx'
import type { ShownTable } from './contract.ts'
import { LinesImport } from './LinesImport.tsx'
import styles from './reference.module.css'
import { referenceApi } from './referenceApi.tsx'

/** Rows of a table brought as lines of text: new ones are added, known ones changed, the others stay. */
export default function ImportDialog({ table, onClose }: { table: ShownTable; onClose: () => void }) {
  const heads = Object.values(table.fields)
    .filter(({ shown, lines }) => !shown && !lines)
    .map(({ label, words }) => ({ label, words: words && Object.values(words).join('、') }))
  const words = heads.flatMap(({ label, words }) => (words ? [`${label}为${words}`] : []))
  return (
    <Dialog title={`导入${table.title}`} width={560} onClose={onClose}>
      <div className={styles.dialogBody}>
        <LinesImport
          title={table.title}
          table={table.key}
          about={`文件为 Excel、WPS 表格或 CSV，第一行是「${heads.map(({ label }) => label).join(',')}」${words.map(text => `，${text}`).join('')}。文件里没有的项保持不变。`}
          rehearse={text => referenceApi.rehearseRows({ table: table.key, text })}
          bring={(text, token) =>
            referenceApi.importRows({ table: table.key, text, token }, { idempotencyKey: newKey() })
          }
          onDone={onClose}
        />
      </div>
    </Dialog>
  )
}
