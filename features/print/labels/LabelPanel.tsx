import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { TEMPLATE_FIELDS } from '#features/print/print-templates/fields.ts'
import { mmText, withLabel } from '#kit/print/edit/draft.ts'
import { LABEL_LIMITS } from '#kit/print/label.ts'
import { Button } from '#web/controls/Button.tsx'
import { Field } from '#web/form/Field.tsx'
import { Upload } from '#web/form/files/Upload.tsx'
import { Select } from '#web/form/Select.tsx'
import { TextInput } from '#web/form/TextField.tsx'
import { LengthEntry, Pair, Panel } from '#web/print/edit/Entry.tsx'
import type { Editor } from '#web/print/edit/useEditor.ts'
import styles from './designer.module.css'
import { labelsApi } from './labelsApi.tsx'
import { LABEL_PICTURE, LABEL_PICTURE_KB, LENGTHS_OF_PAPER } from './rules.ts'

type Props = {
  editor: Editor
  /** Messages of the name, and when it was left. */
  form: ComponentProps<typeof Field>['form']
  onBusy: (busy: boolean) => void
}

/** What holds for the whole label. */
export function LabelPanel({ editor, form, onBusy }: Props) {
  const { draft } = editor
  const { label } = draft
  const resize = (size: { width?: number; height?: number }, key: string) =>
    editor.change(one => withLabel(one, size), key)
  const sized = `${label.width}x${label.height}`
  return (
    <div>
      <Panel title="模板">
        <Field form={form} name="name" label={TEMPLATE_FIELDS.name.label} required>
          {control => (
            <TextInput
              {...control}
              value={draft.name}
              maxLength={20}
              count={20}
              onChange={name => editor.change(one => ({ ...one, name }), 'name')}
            />
          )}
        </Field>
        <Industries editor={editor} />
      </Panel>
      <Panel title="标签尺寸">
        <Pair>
          <LengthEntry
            label="宽"
            value={label.width}
            limits={LABEL_LIMITS.side}
            onChange={width => resize({ width }, 'width')}
          />
          <LengthEntry
            label="高"
            value={label.height}
            limits={LABEL_LIMITS.side}
            onChange={height => resize({ height }, 'height')}
          />
        </Pair>
        <Select
          aria-label="常用尺寸"
          value={LENGTHS_OF_PAPER.some(one => one.value === sized) ? sized : undefined}
          placeholder="常用尺寸"
          options={LENGTHS_OF_PAPER}
          onChange={chosen => {
            const [width, height] = (chosen ?? '').split('x').map(Number)
            if (width && height) resize({ width, height }, 'size')
          }}
        />
      </Panel>
      <Panel title="背景图">
        <p className={styles.hint}>
          只在设计时垫在下面对位置，不会打印。宽高比应与标签一致（{mmText(label.width)} ×{' '}
          {mmText(label.height)}
          ），建议 200kb 以内。
        </p>
        <Upload
          id="label-background"
          wide
          label="背景图"
          value={label.background}
          purpose={LABEL_PICTURE}
          most={LABEL_PICTURE_KB}
          onlyOne="只能上传一张商品图片"
          onBusy={onBusy}
          onChange={background => editor.change(one => withLabel(one, { background }))}
        />
      </Panel>
    </div>
  )
}

/** Whose shops it is for; none is all. */
function Industries({ editor }: { editor: Editor }) {
  const { data } = useQuery(labelsApi.industries.query())
  const chosen = editor.draft.industryIds
  const nameOf = (id: number) => data?.rows.find(row => row.id === id)?.name ?? String(id)
  const put = (industryIds: readonly number[]) => editor.change(one => ({ ...one, industryIds }))
  const left = data?.rows.filter(row => row.offered && !chosen.includes(row.id))
  return (
    <div className={styles.industries}>
      <Select<number>
        label={TEMPLATE_FIELDS.industryNames.label}
        value={undefined}
        options={left?.map(({ id, name }) => ({ value: id, label: name }))}
        placeholder={chosen.length === 0 ? '全部行业' : '添加行业'}
        onChange={id => id && put([...chosen, id])}
      />
      {chosen.length > 0 && (
        <ul className={styles.chips}>
          {chosen.map(id => (
            <li key={id}>
              {nameOf(id)}
              <Button
                kind="link"
                aria-label={`移除${nameOf(id)}`}
                onClick={() => put(chosen.filter(one => one !== id))}
              >
                移除
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
