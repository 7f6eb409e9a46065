import { EmptyState, ErrorState, PageHeader } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState, type ReactElement } from 'react';
import { api, describeError, isError } from '../../../api/client.ts';
import { keys } from '../../../api/keys.ts';
import { useDataset } from '../../../api/datasets-query.ts';
import { FilledText } from '../../../parts/FilledText.tsx';
import {
  findProblems,
  isAtFields,
  problemsOf,
  type SourceProblems,
} from '../../../parts/sources/connection-info.ts';
import { schedulesText } from '../../../text/schedules.ts';
import { sourcesText as texts } from '../../../text/sources.ts';
import { knownFields } from '../known-fields.ts';
import { useLabelVisibility } from '../preview.ts';
import { RowsStep } from './RowsStep.tsx';
import {
  isDocumentImport,
  labelsProblem,
  newSourceImport,
  toIngestRequest,
  toScheduleRequest,
  writeProblem,
  type SourceImport,
} from './source-import.ts';
import { useSourcePreview } from './source-preview.ts';
import { SourceStep } from './SourceStep.tsx';
import { StepList } from './StepList.tsx';
import { WriteStep } from './WriteStep.tsx';

const route = getRouteApi('/datasets/$id/import-source');
const noTexts: readonly string[] = [];

/** Whether an error is about the source: its fields, or a host that cannot be read. */
const isOfSource = (error: unknown): boolean =>
  isError(error, 'DatasourceError') || Object.keys(problemsOf(error)).length > 0;

/** The page that imports rows from a source into a dataset, in three steps. */
export const SourceImportPage = (): ReactElement => {
  const { id } = route.useParams();
  const client = useQueryClient();
  const navigate = useNavigate();
  const dataset = useDataset(id);
  const [draft, setDraft] = useState<SourceImport>(newSourceImport);
  const [step, setStep] = useState(0);
  const [attempt, setAttempt] = useState(0);
  /** The last attempt that got rows, or an error that is not of the source. */
  const [answered, setAnswered] = useState(0);
  const [typedProblems, setTypedProblems] = useState<SourceProblems>({});
  const form = useRef<HTMLFormElement>(null);
  const preview = useSourcePreview(id, draft, attempt);
  const isDocument = isDocumentImport(draft);
  const labelProblem = labelsProblem(draft);
  const isLabelled = labelProblem === undefined && (isDocument || !preview.isOutdated);
  const { choice } = draft;
  const labels = useMemo(() => {
    if (isDocument) return choice.mode === 'one' ? [choice.label] : noTexts;
    return [...new Set(preview.data?.rows.flatMap(({ label }) => (label === null ? [] : [label])))];
  }, [preview.data, isDocument, choice]);
  const visibility = useLabelVisibility(isLabelled ? labels : noTexts, id);
  const start = useMutation({
    mutationFn: async () => {
      const { schedule } = draft;
      if (schedule === undefined) {
        const job = await api.startIngest({ query: { isAsync: true }, body: toIngestRequest(id, draft) });
        return { jobId: job.id };
      }
      const created = await api.createSchedule({ body: toScheduleRequest(id, draft, schedule) });
      return { scheduleId: created.id };
    },
    onSuccess: (made) => {
      void client.invalidateQueries({ queryKey: keys.datasets });
      void client.invalidateQueries({ queryKey: keys.schedules });
      if (made.jobId !== undefined) void navigate({ to: '/imports/$jobId', params: { jobId: made.jobId } });
      else void navigate({ to: '/schedules/$scheduleId', params: { scheduleId: made.scheduleId } });
    },
  });
  const failure = start.error ?? preview.error;
  const problems = { ...problemsOf(failure), ...typedProblems };
  /** A stored connection has fields that are not shown here. */
  const hasAllFields = draft.connection === undefined;
  const isUnreadable = isError(preview.error, 'FileParseError');
  const isSourceFailure = isOfSource(failure) || isError(preview.error, 'NotImplementedError');
  const hasAnswer =
    (preview.data !== undefined && !preview.isPlaceholderData) ||
    (preview.error !== null && !isSourceFailure);
  if (attempt > 0 && attempt !== answered && hasAnswer) setAnswered(attempt);
  const isConnected = attempt > 0 && attempt === answered;
  // The fields of the source stay in view until it was read, and come back with its error.
  const shownStep = isSourceFailure || !isConnected ? 0 : step;

  // The focus of the browser is outside of React: it goes to the first field with a problem.
  const problemNames = Object.keys(problems).join(' ');
  useEffect(() => {
    if (problemNames === '') return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problemNames, attempt]);

  if (dataset.error !== null || dataset.data?.currentUserPermissions.write === false) {
    return (
      <EmptyState title={dataset.error === null ? texts.mayNotWrite : texts.noSuchDataset}>
        <FilledText
          text={texts.openOrAsk}
          values={{ open: <Link to="/datasets">{texts.openYourDatasets}</Link> }}
        />
      </EmptyState>
    );
  }

  const change = (changed: SourceImport): void => {
    start.reset();
    setTypedProblems({});
    // Changed fields of the source make the preview of the earlier ones void.
    if (
      changed.kind !== draft.kind ||
      changed.values !== draft.values ||
      changed.connection !== draft.connection
    ) {
      setAttempt(0);
      setStep(0);
    }
    setDraft(changed);
  };
  const isReading = attempt > 0 && !isConnected && preview.isFetching;
  const stepProblem = [undefined, labelProblem, writeProblem(draft)][shownStep];
  const isBlocked = shownStep === 1 && preview.error !== null && !isUnreadable;
  const advance = (): void => {
    if (shownStep === 0) {
      const parts = draft.connection === undefined ? undefined : (['choice'] as const);
      const found = findProblems(draft.kind, draft.values, parts);
      setTypedProblems(found);
      if (Object.keys(found).length > 0) return;
      start.reset();
      if (attempt === 0 || preview.error !== null) setAttempt(Date.now());
      setStep(1);
    } else if (shownStep === 1) setStep(2);
    else start.mutate();
  };
  const nextText =
    shownStep === 2
      ? draft.schedule === undefined
        ? texts.start
        : schedulesText.create
      : isUnreadable && !isDocument && shownStep === 1
        ? texts.continueAnyway
        : texts.next;
  return (
    <Box
      component="form"
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (stepProblem === undefined && !isBlocked && !isReading) advance();
      }}
      sx={{
        p: { xs: 2, md: 3 },
        display: 'flex',
        flexDirection: 'column',
        minHeight: '100%',
        height: { md: shownStep === 1 ? '100%' : undefined },
      }}
    >
      <title>{texts.pageTitle}</title>
      <PageHeader
        title={<FilledText text={texts.importInto} values={{ dataset: <bdi>{dataset.data?.name}</bdi> }} />}
        facts={stepProblem ?? texts.stepOf(shownStep + 1, texts.steps[shownStep] ?? '')}
        actions={
          <>
            {shownStep > 0 && (
              <Button
                onClick={() => {
                  start.reset();
                  setStep(shownStep - 1);
                }}
              >
                {texts.back}
              </Button>
            )}
            <Button
              type="submit"
              variant="contained"
              color="primary"
              disabled={stepProblem !== undefined || isBlocked}
              loading={start.isPending || isReading}
            >
              {nextText}
            </Button>
          </>
        }
      />
      <StepList current={shownStep} />
      {start.error !== null && !(hasAllFields && isAtFields(start.error)) && (
        <ErrorState
          title={draft.schedule === undefined ? texts.startFailed : schedulesText.createFailed}
          {...describeError(start.error)}
        />
      )}
      {isReading && (
        <Typography role="status" sx={{ mb: 2, color: 'text.secondary' }}>
          {texts.connecting}
        </Typography>
      )}
      {shownStep === 0 && preview.error !== null && !(hasAllFields && isAtFields(preview.error)) && (
        <ErrorState title={texts.sourceFailed} {...describeError(preview.error)} />
      )}
      {shownStep === 0 && <SourceStep draft={draft} problems={problems} onChange={change} />}
      {shownStep === 1 && (
        <RowsStep
          draft={draft}
          preview={preview.data}
          known={preview.known}
          error={preview.error}
          isOutdated={preview.isOutdated}
          visibility={isLabelled ? visibility : undefined}
          onChange={change}
        />
      )}
      {shownStep === 2 && (
        <WriteStep
          draft={draft}
          fields={knownFields(preview.known)}
          mayRead={dataset.data?.currentUserPermissions.read === true}
          datasetName={dataset.data?.name ?? ''}
          onChange={change}
        />
      )}
    </Box>
  );
};
