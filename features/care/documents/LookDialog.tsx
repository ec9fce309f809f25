import { useState } from 'react'
import { useViewOnly } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Permit } from '#web/controls/Permit.tsx'
import { Dialog } from '#web/form/Dialog.tsx'
import { FileLink } from '#web/form/files/FileLink.tsx'
import styles from './documents.module.css'
import { type DocumentRow, lookAddress } from './documentsApi.tsx'
import { Purpose } from './Purpose.tsx'
import { DOCUMENT_KINDS, type LookPurpose } from './rules.ts'

/** A paper, once somebody has said what it is looked at for. */
export default function LookDialog({ row, onClose }: { row: DocumentRow; onClose: () => void }) {
  const [purpose, setPurpose] = useState<LookPurpose>()
  const [failed, setFailed] = useState(false)
  const viewOnly = useViewOnly()
  const kind = DOCUMENT_KINDS[row.kind]
  return (
    <Dialog
      title={kind}
      width={720}
      dirty={false}
      onClose={onClose}
      footer={
        <>
          {purpose && (
            <Permit permission="documents.take">
              <FileLink href={`/api/documents/${row.id}/file?purpose=${purpose}`} rows={0}>
                下载原图
              </FileLink>
            </Permit>
          )}
          <Button onClick={onClose}>关闭</Button>
        </>
      }
    >
      <div className={styles.looked}>
        <Purpose
          label="查看目的"
          value={purpose}
          onChange={chosen => {
            setFailed(false)
            setPurpose(chosen)
          }}
        />
        {viewOnly && <p role="alert">{viewOnly}</p>}
        {failed && <p role="alert">图片不能显示，请关闭后重试</p>}
        {purpose && !viewOnly && !failed && (
          <img
            key={purpose}
            className={styles.picture}
            src={lookAddress(row.id, purpose)}
            alt={kind}
            width={row.width}
            height={row.height}
            onError={() => setFailed(true)}
          />
        )}
      </div>
    </Dialog>
  )
}
