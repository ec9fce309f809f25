import { useState } from 'react'
import { messageOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { toast } from '#web/controls/toast.ts'
import { ActionBar } from '#web/form/ActionBar.tsx'
import { CloseButton, Dialog } from '#web/form/Dialog.tsx'
import { MatchedColumns } from '#web/form/files/MatchedColumns.tsx'
import { Labelled } from '#web/form/Labelled.tsx'
import { TextInput } from '#web/form/TextField.tsx'
import { COLUMNS } from './fields.ts'
import styles from './import.module.css'
import { type ImportDetails, importApi } from './importApi.tsx'
import { CELL_KEYS, DEFAULT_KEYS, type Defaults, IMPORT_REFUSALS } from './rules.ts'

/** Which column of the file is which of ours, and what stands for empty cells. */
export default function ColumnsDialog({ data, onClose }: { data: ImportDetails; onClose: () => void }) {
  const mayChange = usePermission('shopImport.import')
  const [columns, setColumns] = useState(() => data.heads.map(({ column }) => column))
  const [defaults, setDefaults] = useState<Defaults>(data.defaults)
  const [busy, setBusy] = useState(false)
  const guessed = data.heads.map((head, at) => head.guessed && columns[at] === head.column)
  const isGuessed = data.heads.some(head => head.guessed)
  const moved = isGuessed || columns.some((column, at) => column !== data.heads[at]?.column)
  const offered = CELL_KEYS.filter(key => data.mode === 'takeover' || !COLUMNS[key].takeover)
  const twice = columns.some((column, at) => column !== null && columns.indexOf(column) !== at)
  const save = async () => {
    setBusy(true)
    try {
      const { id, duplicates } = data
      if (moved) await importApi.map({ id, columns })
      await importApi.setUp({ id, defaults, duplicates })
      toast.success('已保存，每行已重新检查')
      await reread()
      onClose()
    } catch (error) {
      toast.error(messageOf(error))
      setBusy(false)
    }
  }
  return (
    <Dialog title="列与默认值" width={720} busy={busy} onClose={onClose}>
      <div className={styles.dialog}>
        <p className={look.quiet}>
          左边是表格里的列和其中的内容，右边是它在这里的含义。保存后会记住，下次上传同样的表格自动对应。重新对应会从原表重新读取，已修改的内容不保留。
        </p>
        <MatchedColumns
          heads={data.heads}
          values={columns}
          options={offered.map(key => ({ key, label: COLUMNS[key].label }))}
          none="不导入"
          hints={guessed.map(is => (is ? '按内容识别，请确认' : ''))}
          disabled={!mayChange}
          onChange={setColumns}
        />
        <h3 className={look.sectionTitle}>空白时使用</h3>
        <div className={styles.defaults}>
          {DEFAULT_KEYS.map(key => (
            <Labelled key={key} label={COLUMNS[key].label}>
              <TextInput
                value={defaults[key] ?? ''}
                placeholder={`如：${COLUMNS[key].example}`}
                readOnly={!mayChange}
                onChange={text => setDefaults(withText(defaults, key, text))}
              />
            </Labelled>
          ))}
        </div>
        {twice && (
          <p role="alert" className={styles.problem}>
            {IMPORT_REFUSALS.COLUMN_TWICE}
          </p>
        )}
        <ActionBar>
          <CloseButton>{mayChange ? '取消' : '关闭'}</CloseButton>
          {mayChange && (
            <Button
              kind="primary"
              busy={busy}
              disabled={twice && IMPORT_REFUSALS.COLUMN_TWICE}
              onClick={() => void save()}
            >
              {isGuessed ? '确认并重新检查' : '保存并重新检查'}
            </Button>
          )}
        </ActionBar>
      </div>
    </Dialog>
  )
}

function withText(defaults: Defaults, key: keyof Defaults, text: string): Defaults {
  const { [key]: _before, ...rest } = defaults
  return text.trim() === '' ? rest : { ...rest, [key]: text }
}
