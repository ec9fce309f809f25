import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { LabelPicture } from '#features/print/labels/LabelPicture.tsx'
import { mmText } from '#kit/print/edit/draft.ts'
import type { Label, LabelData } from '#kit/print/label.ts'
import { labelCharacters } from '#kit/print/label-text.ts'
import { SAMPLES } from '#kit/print/samples.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { EmptyState, LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { ListSearch } from '#web/list/ListSearch.tsx'
import { useGlyphs } from '#web/print/useGlyphs.ts'
import styles from './batch.module.css'
import { batchesApi, type Template } from './batch.tsx'

const sizeWords = ({ width, height }: Label) => `${mmText(width)} × ${mmText(height)} mm`

type Props = {
  template: Template | null
  /** Of the row that is looked at. */
  data: LabelData | null
  onChange: (template: Template) => void
}

/** The label that is printed: chosen among all by its picture, then seen with the row that one stands in. */
export function TemplateChoice({ template, data, onChange }: Props) {
  const [isChoosing, setChoosing] = useState(false)
  if (!template || isChoosing)
    return (
      <Gallery
        chosen={template?.id ?? null}
        onChoose={chosen => {
          onChange(chosen)
          setChoosing(false)
        }}
        onKeep={template ? () => setChoosing(false) : null}
      />
    )
  return (
    <div className={styles.template}>
      <LabelPicture label={template.content} name={template.name} {...(data ? { data } : {})} />
      <div>
        <p className={styles.templateName}>{template.name}</p>
        <p className={look.quiet}>
          {sizeWords(template.content)} · {data ? '显示当前行的内容' : '显示示例内容'}
        </p>
        <Button kind="link" onClick={() => setChoosing(true)}>
          换模板
        </Button>
      </div>
    </div>
  )
}

type GalleryProps = {
  chosen: number | null
  onChoose: (template: Template) => void
  onKeep: (() => void) | null
}

function Gallery({ chosen, onChoose, onKeep }: GalleryProps) {
  const [search, setSearch] = useState('')
  const found = useQuery({
    ...batchesApi.templates.query({ search }),
    placeholderData: before => before,
  })
  const rows = found.data?.rows
  // All at once, not picture by picture.
  const characters = useMemo(
    () => (rows ?? []).flatMap(({ content }) => labelCharacters(content, SAMPLES.typical)),
    [rows],
  )
  const isDrawn = useGlyphs(characters) !== null
  return (
    <div className={styles.gallery}>
      <div className={styles.acts}>
        <ListSearch placeholder="模板名称" value={search} onChange={setSearch} />
        {onKeep && <Button onClick={onKeep}>不换了</Button>}
      </div>
      {found.isError && !rows ? (
        <LoadFailure error={found.error} onRetry={() => void found.refetch()} />
      ) : !rows ? (
        <LoadingLines lines={6} />
      ) : rows.length === 0 ? (
        <EmptyState title={search ? '没有这样的模板' : '还没有标签模板'}>
          <p>{search ? '换一个名称试试。' : '先在“标签模板”里新建一个。'}</p>
        </EmptyState>
      ) : (
        <ul className={styles.pictures} aria-label="标签模板">
          {rows.map(one => (
            <li key={one.id}>
              <button
                type="button"
                className={styles.pick}
                aria-pressed={one.id === chosen}
                onClick={() => onChoose(one)}
              >
                <span className={styles.picture} aria-hidden="true">
                  {isDrawn && <LabelPicture label={one.content} name={one.name} />}
                </span>
                <span className={styles.pickName}>
                  <span className={look.visuallyHidden}>选择</span>
                  {one.name}
                </span>
                <span className={look.quiet}>{sizeWords(one.content)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {found.data?.more && <p className={look.quiet}>只列出最近修改的，其余请搜索。</p>}
    </div>
  )
}
