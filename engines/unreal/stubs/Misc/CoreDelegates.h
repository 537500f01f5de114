#pragma once
struct FStubApplicationDelegate
{
	template <class T> FDelegateHandle AddUObject(T*, void (T::*)()) { return {}; }
	void Remove(FDelegateHandle) {}
};
struct FCoreDelegates { static inline FStubApplicationDelegate ApplicationHasEnteredForegroundDelegate; };
