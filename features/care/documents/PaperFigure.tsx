import { type ReactNode, useState } from 'react'
import { useViewOnly } from '#web/client/session.ts'
import styles from './documents.module.css'
import { type DocumentRow, lookAddress } from './documentsApi.tsx'
import { DOCUMENT_KINDS, type DocumentKind, type LookPurpose } from './rules.ts'

type Paper = Pick<DocumentRow, 'id' | 'state' | 'width' | 'height'>
type Props = {
  /** Undefined: there is none yet. */
  paper: Paper | undefined
  kind: DocumentKind
  /** What it is looked at for, which the log keeps. */
  purpose: LookPurpose
  /** What is said of it, under its name. */
  children?: ReactNode
}

/** A paper beside what it is to prove; what somebody looks at is logged. */
export function PaperFigure({ paper, kind, purpose, children }: Props) {
  const label = DOCUMENT_KINDS[kind]
  return (
    <figure className={styles.figure}>
      {paper ? (
        <Picture paper={paper} label={label} purpose={purpose} />
      ) : (
        <div className={styles.noPicture}>未上传</div>
      )}
      <figcaption>
        {label}
        {children}
      </figcaption>
    </figure>
  )
}

function Picture({ paper, label, purpose }: { paper: Paper; label: string; purpose: LookPurpose }) {
  const [failed, setFailed] = useState(false)
  const viewOnly = useViewOnly()
  if (paper.state === 'erased') return <div className={styles.noPicture}>已销毁</div>
  if (viewOnly ?? failed) return <div className={styles.noPicture}>{viewOnly ?? '图片不能显示'}</div>
  const address = lookAddress(paper.id, purpose)
  return (
    <a href={address} target="_blank" rel="noreferrer" aria-label={`放大${label}`}>
      <img
        src={address}
        alt={label}
        width={paper.width}
        height={paper.height}
        loading="lazy"
        onError={() => setFailed(true)}
      />
    </a>
  )
}
