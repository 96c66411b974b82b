// The page: routes, lazily loaded pages, and the frame around them.

import '@lichess-org/chessground/assets/chessground.base.css';
import '@lichess-org/chessground/assets/chessground.cburnett.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/board.css';
import './styles/pages.css';
import './styles/tools.css';
import './styles/letters.css';
import './styles/first.css';

import { render, type ComponentChildren } from 'preact';
import { useEffect, useErrorBoundary, useState } from 'preact/hooks';
import { HomePage } from './play/home';
import { PlayPage } from './play/play';
import { pageKey, parseRoute, type ReviewPlace, type Route } from './router';
import { Busy, Notice } from './ui/controls';
import { Shell } from './ui/shell';
import { wear } from './ui/theme';

/** A page that has come; where in it the reader is may change while it stays. */
type Shown = (place: ReviewPlace) => ComponentChildren;

/** Pages that are not needed to play come when they are asked for. */
async function loadPage(route: Route): Promise<Shown> {
  switch (route.page) {
    case 'learn': {
      const { LearnPage } = await import('./learn/page');
      return () => <LearnPage {...route} />;
    }
    case 'rules': {
      const { RulesPage } = await import('./rules/page');
      return () => <RulesPage {...route} />;
    }
    case 'review': {
      const { ReviewPage } = await import('./review/page');
      return (place) => <ReviewPage source={route.source} place={place} />;
    }
    case 'watch': {
      const { WatchPage } = await import('./play/watch');
      return () => <WatchPage id={route.id} token={route.token} />;
    }
    case 'analysis': {
      const { AnalysisPage } = await import('./analysis/page');
      return () => <AnalysisPage />;
    }
    case 'problems': {
      const { ProblemsPage } = await import('./problems/page');
      return () => <ProblemsPage {...route} />;
    }
    case 'tables': {
      const { TablesPage } = await import('./tables/page');
      return () => <TablesPage />;
    }
    case 'results': {
      const { ResultsPage } = await import('./results/page');
      return () => <ResultsPage {...route} />;
    }
    default:
      return () => null;
  }
}

function App() {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const changed = () => {
      setHash((before) => {
        if (pageKey(parseRoute(before)) !== pageKey(parseRoute(location.hash))) scrollTo(0, 0);
        return location.hash;
      });
    };
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  const route = parseRoute(hash);
  return (
    <Shell page={route.page}>
      <Guard key={pageKey(route)}>
        <Page route={route} />
      </Guard>
    </Shell>
  );
}

function Page({ route }: { route: Route }) {
  switch (route.page) {
    case 'home':
      return <HomePage />;
    case 'play':
      return <PlayPage key={route.id + route.token} id={route.id} token={route.token} />;
    case 'unknown':
      return (
        <div class="narrow">
          <h1>Lost in the fog</h1>
          <p>There is no such page.</p>
          <p>
            <a href="#/">Play a game</a>
          </p>
        </div>
      );
    default:
      return <Later route={route} />;
  }
}

function Later({ route }: { route: Route }) {
  const [shown, show] = useState<{ page: Shown } | null>(null);
  useEffect(() => {
    let here = true;
    loadPage(route).then(
      (page) => here && show({ page }),
      () => here && show({ page: () => <Notice kind="error">This page could not be loaded. Is nebel still running?</Notice> }),
    );
    return () => {
      here = false;
    };
  }, []);
  return <>{shown ? shown.page(route.page === 'review' ? route.place : {}) : <Busy />}</>;
}

/** A defect of one page leaves the frame standing. */
function Guard({ children }: { children: ComponentChildren }) {
  const [error, reset] = useErrorBoundary((cause: unknown) => console.error(cause));
  if (!error) return <>{children}</>;
  return (
    <div class="narrow">
      <Notice kind="error">Something went wrong on this page: {error instanceof Error ? error.message : String(error)}</Notice>
      <button type="button" onClick={reset}>
        Try again
      </button>
    </div>
  );
}

wear();
render(<App />, document.getElementById('app') as HTMLElement);
