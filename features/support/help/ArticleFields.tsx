import { lazy, useContext } from 'react'
import { PagesContext } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { Day } from '#web/form/dates/Day.tsx'
import { Field, FormGrid } from '#web/form/Field.tsx'
import { LargeUpload } from '#web/form/files/LargeUpload.tsx'
import type { Uploads } from '#web/form/files/uploads.ts'
import { LoadingLines } from '#web/form/LoadStates.tsx'
import { Select } from '#web/form/Select.tsx'
import { TextField } from '#web/form/TextField.tsx'
import type { Form } from '#web/form/useForm.ts'
import { HELP_FIELDS } from './fields.ts'
import styles from './help.module.css'
import type { HelpEdited } from './helpApi.tsx'
import {
  HELP_KIND_KEYS,
  HELP_KINDS,
  HELP_LIMITS,
  HELP_PICTURE,
  HELP_VIDEO,
  HELP_VIDEO_MB,
  type HelpForm,
} from './rules.ts'

const RichEditor = lazy(() => import('#web/rich/RichEditor.tsx'))

export type Draft = Omit<HelpForm, 'pages'> & { pages: string[]; body: string }

type Props = {
  form: Form<Draft>
  article: HelpEdited | null
  categories: readonly { id: number; name: string }[]
  uploads: Uploads
}

export function ArticleFields({ form, article, categories, uploads }: Props) {
  const { kind, categoryId, releasedOn, videoId } = form.draft
  const isRelease = kind === 'release'
  return (
    <>
      <FormGrid>
        <Field form={form} name="kind" label={HELP_FIELDS.kind.label} required>
          {control => (
            <Select
              {...control}
              value={kind}
              options={HELP_KIND_KEYS.map(value => ({ value, label: HELP_KINDS[value] }))}
              onChange={value => form.change({ kind: value ?? 'flow' })}
            />
          )}
        </Field>
        {isRelease ? (
          <>
            <TextField
              form={form}
              name="version"
              label={HELP_FIELDS.version.label}
              required
              maxLength={HELP_LIMITS.version}
              hint="如 2026.4"
            />
            <Field form={form} name="releasedOn" label={HELP_FIELDS.releasedOn.label} required>
              {control => (
                <Day {...control} value={releasedOn} onChange={day => form.change({ releasedOn: day })} />
              )}
            </Field>
          </>
        ) : (
          <Field
            form={form}
            name="categoryId"
            label={HELP_FIELDS.categoryName.label}
            required
            hint="分类在「基础数据」中维护"
          >
            {control => (
              <Select
                {...control}
                value={categoryId ?? undefined}
                options={categories.map(({ id, name }) => ({ value: id, label: name }))}
                onChange={value => form.change({ categoryId: value ?? null })}
                placeholder="请选择分类"
              />
            )}
          </Field>
        )}
      </FormGrid>
      <TextField
        form={form}
        name="title"
        label={HELP_FIELDS.title.label}
        required
        maxLength={HELP_LIMITS.title}
        count={HELP_LIMITS.title}
      />
      <Field form={form} name="body" label={HELP_FIELDS.bodyText.label} required={kind !== 'video'} group>
        {control => (
          <Suspense fallback={<LoadingLines lines={8} />}>
            <RichEditor
              id={control.id}
              describedBy={control['aria-describedby']}
              label={HELP_FIELDS.bodyText.label}
              initial={form.draft.body}
              onChange={body => form.change({ body })}
              purpose={HELP_PICTURE}
              onBusy={uploads.at('body')}
            />
          </Suspense>
        )}
      </Field>
      <Field form={form} name="videoId" label="视频" group>
        {control => (
          <LargeUpload
            id={control.id}
            label="选择视频"
            describedBy={control['aria-describedby']}
            purpose={HELP_VIDEO}
            most={HELP_VIDEO_MB}
            accept="video/mp4,video/webm"
            kept={videoId === null ? null : videoId === article?.videoId ? '已有视频' : '视频已上传'}
            onChange={file => form.change({ videoId: file?.id ?? null })}
            onBusy={uploads.at('videoId')}
          />
        )}
      </Field>
      <TextField
        form={form}
        name="videoUrl"
        label={HELP_FIELDS.videoUrl.label}
        placeholder="https://"
        hint="视频放在其他网站时填写，读者在新窗口打开"
        maxLength={HELP_LIMITS.videoUrl}
      />
      {!isRelease && <PagesField form={form} />}
    </>
  )
}

type PagesShown = readonly { path: string; title?: string; group?: string }[]

/** The pages from which the article is opened by a question mark. */
function PagesField({ form }: Pick<Props, 'form'>) {
  const known = useContext(PagesContext) as PagesShown
  const { pages } = form.draft
  const nameOf = (path: string) => {
    const page = known.find(one => one.path === path)
    return page ? [page.group, page.title].filter(Boolean).join(' / ') : path
  }
  const left = known.filter(({ path }) => !pages.includes(path))
  return (
    <Field
      form={form}
      name="pages"
      label={HELP_FIELDS.pagesText.label}
      hint="这些页面的标题旁会出现问号，点开即是本文"
    >
      {control => (
        <div className={styles.pages}>
          <Select<string>
            {...control}
            value={undefined}
            options={left.map(({ path }) => ({ value: path, label: nameOf(path) }))}
            onChange={path => path && form.change({ pages: [...pages, path] })}
            placeholder="添加页面"
          />
          {pages.length > 0 && (
            <ul>
              {pages.map(path => (
                <li key={path}>
                  {nameOf(path)}
                  <Button
                    kind="link"
                    aria-label={`移除${nameOf(path)}`}
                    onClick={() => form.change({ pages: pages.filter(one => one !== path) })}
                  >
                    移除
                  </Button>
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </Field>
  )
}
