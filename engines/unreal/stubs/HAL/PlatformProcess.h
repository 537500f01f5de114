#pragma once
struct FPlatformProcess { static void LaunchURL(const TCHAR*, const TCHAR*, FString*) {} };
