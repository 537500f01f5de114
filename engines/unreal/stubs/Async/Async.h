#pragma once
namespace ENamedThreads { enum Type { GameThread }; }
template <class Work> void AsyncTask(ENamedThreads::Type, Work&& Run) { Run(); }
